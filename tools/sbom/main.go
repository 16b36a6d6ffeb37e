// Command sbom writes the list of materials of a Go program, in the form of CycloneDX:
//
//	sbom PROGRAM FILE
//
// A Go program says itself which modules it is made of, with their checksums. What is written depends on
// nothing else, no time and no number drawn at random, so that two builds with equal bytes have equal lists.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr,
			"usage: sbom PROGRAM FILE: write the modules that a Go program is made of, as CycloneDX")
		os.Exit(64)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// write writes the list of a program into a file.
func write(program, file string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	bom := cyclonedx.NewBOM()
	main := component(&info.Main, cyclonedx.ComponentTypeApplication)
	bom.Metadata = &cyclonedx.Metadata{Component: &main, Properties: settings(info, filepath.Base(program))}
	parts := []cyclonedx.Component{{
		Type: cyclonedx.ComponentTypePlatform, BOMRef: "go", Name: "go",
		Version:     strings.TrimPrefix(info.GoVersion, "go"),
		Description: "standard library and runtime",
	}}
	refs := []string{"go"}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, component(m, cyclonedx.ComponentTypeLibrary))
		refs = append(refs, parts[len(parts)-1].BOMRef)
	}
	bom.Components = &parts
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err !=
		nil {
		return err
	}
	return f.Close()
}

// component is a module as part of a program.
func component(m *debug.Module, kind cyclonedx.ComponentType) cyclonedx.Component {
	c := cyclonedx.Component{
		Type: kind, Name: m.Path, Version: m.Version, BOMRef: m.Path + "@" + m.Version,
		PackageURL: "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B"),
	}
	// h1: is a SHA-256 of the names and checksums of the module's files.
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil &&
		len(sum) == 32 {
		c.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
	}
	return c
}

// settings are how a program was built.
func settings(info *buildinfo.BuildInfo, name string) *[]cyclonedx.Property {
	all := []cyclonedx.Property{{Name: "file", Value: name}}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" ||
			strings.HasPrefix(s.Key, "vcs.") {
			all = append(all, cyclonedx.Property{Name: "go:" + s.Key, Value: s.Value})
		}
	}
	return &all
}
