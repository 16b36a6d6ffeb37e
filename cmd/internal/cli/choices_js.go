package cli

var machineChoices map[string][]string
