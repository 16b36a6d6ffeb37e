// Command front makes what traces/page serves, app.js and app.css, from the sources beside it:
//
//	cd traces/page/front && go run .
//
// It has a module of its own, so that the bundler, and the browser driver of the tests, are no
// dependencies of the program. The libraries in npm/ are the files of their packages, as README.md there
// says.
package main

import (
	"fmt"
	"os"

	"github.com/evanw/esbuild/pkg/api"
)

// out is where the files belong that are made.
const out = ".."

func main() {
	files, err := bundle()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for name, content := range files {
		if err := os.WriteFile(out+"/"+name, content, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// bundle returns the files that belong beside the Go package, by name.
func bundle() (map[string][]byte, error) {
	script := build(api.BuildOptions{
		EntryPoints: []string{"src/main.js"}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2022,
		Alias: map[string]string{
			"preact": "./npm/preact.mjs", "preact/hooks": "./npm/hooks.mjs", "htm": "./npm/htm.mjs",
			"@preact/signals": "./npm/signals.mjs", "@preact/signals-core": "./npm/signals-core.mjs",
		},
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		LegalComments: api.LegalCommentsNone,
		Banner:        map[string]string{"js": "/* preact, @preact/signals: MIT; htm: Apache-2.0 */"},
	})
	style := build(api.BuildOptions{EntryPoints: []string{"src/app.css"}, MinifyWhitespace: true,
		MinifySyntax: true})
	files := map[string][]byte{}
	for name, result := range map[string]api.BuildResult{"app.js": script, "app.css": style} {
		if len(result.Errors) > 0 {
			e := result.Errors[0]
			if e.Location != nil {
				return nil, fmt.Errorf("%s:%d:%d: %s", e.Location.File, e.Location.Line, e.Location.Column,
					e.Text)
			}
			return nil, fmt.Errorf("%s: %s", name, e.Text)
		}
		files[name] = result.OutputFiles[0].Contents
	}
	return files, nil
}

func build(o api.BuildOptions) api.BuildResult { return api.Build(o) }
