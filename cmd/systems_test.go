package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestOtherSystems: the programs that are released for other systems compile there. Only types are checked,
// and no code is generated: files for different systems differ in types.
//
//	ATMOSTK_SYSTEMS=windows,darwin go test -run OtherSystems ./cmd
func TestOtherSystems(t *testing.T) {
	asked := os.Getenv("ATMOSTK_SYSTEMS")
	if asked == "" {
		t.Skip("ATMOSTK_SYSTEMS names the systems, such as windows,darwin")
	}
	for system := range strings.SplitSeq(asked, ",") {
		t.Run(system, func(t *testing.T) {
			found, err := packages.Load(&packages.Config{
				Dir: "..", Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
				Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
					packages.NeedSyntax | packages.NeedTypesInfo,
			}, "./cmd/atmostk")
			if err != nil {
				t.Fatal(err)
			}
			ours := 0
			packages.Visit(found, nil, func(p *packages.Package) {
				if strings.HasPrefix(p.PkgPath, module) {
					ours++
				}
				for _, e := range p.Errors {
					t.Errorf("%s: %v", p.PkgPath, e)
				}
			})
			if ours < 30 {
				t.Errorf("only %d packages of this module", ours)
			}
		})
	}
}

// TestSameVersions: the modules beside this one use what this one uses in the same versions. Else much of
// it is compiled once for each of them.
func TestSameVersions(t *testing.T) {
	required := regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`)
	of := func(file string) map[string]string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		versions := map[string]string{}
		for _, m := range required.FindAllStringSubmatch(string(text), -1) {
			versions[m[1]] = m[2]
		}
		return versions
	}
	root := filepath.Join("..", "go.mod")
	ours := of(root)
	for _, file := range []string{
		"../tools/manual/go.mod", "../tools/site/go.mod", "atmostk-cluster/go.mod",
		"../traces/page/front/go.mod",
	} {
		shared := 0
		for path, version := range of(file) {
			if want := ours[path]; want != "" {
				if shared++; version != want {
					t.Errorf("%s: %s %s, and %s %s", file, path, version, root, want)
				}
			}
		}
		if shared < 5 {
			t.Errorf("%s: only %d modules in common", file, shared)
		}
	}
}
