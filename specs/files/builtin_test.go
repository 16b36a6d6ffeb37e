package files

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// TestBuiltinSaysWhatItsFileSays: a model of the program that is a file has the title, parameters and
// references of the file.
func TestBuiltinSaysWhatItsFileSays(t *testing.T) {
	for _, s := range []model.Spec{DieHard, EWD840} {
		file, err := starfile.Load(s.Name + starfile.Extension)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.EqualFold(s.Title, file.Title) || s.Source != file.Source || s.Doc != file.Doc ||
			!reflect.DeepEqual(s.References, file.References) || len(s.Params) != len(file.Params) {
			t.Errorf("%+v, in the file %+v", s, file)
			continue
		}
		for i, p := range s.Params {
			q := file.Params[i]
			if p.Name != q.Name || p.Doc != q.Doc || p.Default != q.Default ||
				p.Type.Allowed != q.Type.Allowed {
				t.Errorf("%s: %+v, in the file %+v", s.Name, p, q)
			}
		}
	}
}

// TestMutantOfEWD840IsCaught lets nodes send without turning black.
func TestMutantOfEWD840IsCaught(t *testing.T) {
	text := strings.Replace(ewd840, "    if j > i:\n        s.black.add(i)\n", "", 1)
	if text == ewd840 {
		t.Fatal("nothing is changed")
	}
	mutant := EWD840
	mutant.Build = starfile.Builder("ewd840", text)
	in, _, err := mutant.Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := explore.Run(context.Background(), in, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != explore.Violated {
		t.Errorf("%s, want violated", report.Verdict)
	}
}
