package traces_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces"
)

// A schema is as much of JSON Schema as traces.Schema uses.
type schema struct {
	Ref        string             `json:"$ref"`
	Defs       map[string]*schema `json:"$defs"`
	Type       string
	Const      any
	Enum       []any
	Required   []string
	Properties map[string]*schema
	Additional *schema `json:"additionalProperties"`
	Items      *schema
	MinLength  int
	Minimum    *float64
	Maximum    *float64
}

// check says in what a value does not fit a schema; "" if it fits.
func (root *schema) check(s *schema, v any) string {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		s = root.Defs[name]
	}
	types := map[string]string{"string": "string", "float64": "integer", "bool": "boolean",
		"[]interface {}": "array", "map[string]interface {}": "object"}
	if actual := types[fmt.Sprintf("%T", v)]; s.Type != "" && s.Type != actual {
		return fmt.Sprintf("%v is no %s", v, s.Type)
	}
	if s.Const != nil && s.Const != v || s.Enum != nil && !slices.Contains(s.Enum, v) {
		return fmt.Sprintf("%v is not allowed", v)
	}
	switch v := v.(type) {
	case string:
		if len(v) < s.MinLength {
			return "too short"
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return fmt.Sprintf("%v is out of range", v)
		}
	case []any:
		for _, item := range v {
			if why := root.check(s.Items, item); why != "" {
				return why
			}
		}
	case map[string]any:
		return root.fields(s, v)
	}
	return ""
}

func (root *schema) fields(s *schema, v map[string]any) string {
	for _, name := range s.Required {
		if v[name] == nil {
			return name + " is missing"
		}
	}
	for name, value := range v {
		field := s.Properties[name]
		if field == nil {
			field = s.Additional
		}
		if field == nil {
			return name + " is not in the schema"
		}
		if why := root.check(field, value); why != "" {
			return name + ": " + why
		}
	}
	return ""
}

func parsedSchema(t *testing.T) *schema {
	t.Helper()
	var root schema
	if err := json.Unmarshal([]byte(traces.Schema), &root); err != nil {
		t.Fatal(err)
	}
	return &root
}

// TestLinesFitTheSchema checks every line that is written against the schema.
func TestLinesFitTheSchema(t *testing.T) {
	root := parsedSchema(t)
	shown(t, func(t *testing.T, name string, r *traces.Run) {
		for i, line := range lines(t, r) {
			def := root.Defs["step"]
			if i == 0 {
				def = root.Defs["header"]
			}
			var v any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			if why := root.check(def, v); why != "" {
				t.Errorf("%s: line %d: %s: %s", name, i+1, why, line)
			}
		}
	})
}

// TestSchemaHasTheFieldsOfTheTypes wants the same fields in the schema and in the types.
func TestSchemaHasTheFieldsOfTheTypes(t *testing.T) {
	root := parsedSchema(t)
	for def, typ := range map[string]reflect.Type{
		"header": reflect.TypeFor[traces.Header](), "step": reflect.TypeFor[traces.Step](),
		"message":  reflect.TypeFor[traces.Msg](),
		"variable": reflect.TypeFor[traces.Var](), "use": reflect.TypeFor[traces.Use](),
	} {
		fields := map[string]bool{}
		for i := range typ.NumField() {
			tag, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if tag == "-" {
				continue
			}
			fields[tag] = true
			if root.Defs[def].Properties[tag] == nil {
				t.Errorf("%s: the schema has no %s", def, tag)
			}
		}
		for name := range root.Defs[def].Properties {
			inFile := def == "header" && slices.Contains([]string{"schema", "steps", "digest"}, name)
			if !fields[name] && !inFile {
				t.Errorf("%s: the type has no %s", def, name)
			}
		}
	}
}
