package cli

// machineChoices: a program for browsers has no such verbs.
var machineChoices map[string][]string
