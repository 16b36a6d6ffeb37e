package report

import _ "embed"

// The JSON Schemas of the reports in JSON of check, validate and simulate, and of list and show.
var (
	//go:embed check.schema.json
	CheckSchema string
	//go:embed validate.schema.json
	ValidateSchema string
	//go:embed simulation.schema.json
	SimulationSchema string
	//go:embed catalogue.schema.json
	CatalogueSchema string
)
