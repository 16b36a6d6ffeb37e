//go:build !js

package cmd

import (
	"bufio"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/logs"
)

// sarifRules describes the kinds of points.
var sarifRules = []sarifRule{
	{"more-than-k",
		sarifText{"More than k units are in use at once in every order of events that fits the log."}},
	{"possibly-more-than-k",
		sarifText{"More than k units are in use at once in some order of events that fits the log."}},
	{"several-locks", sarifText{"A field of the events may name different locks, which are taken for one."}},
	{"line-missing", sarifText{"A run of the model would explain the log if it had a few lines more."}},
	{"not-explained", sarifText{"No run of the model was found that explains the log."}},
	{"property-violated", sarifText{"A property of the model is violated in the run that explains the log."}},
	{"assumption-broken", sarifText{"The run that explains the log breaks an assumption of the model."}},
	{"proves-little",
		sarifText{"The log does not show something that it would have to show to prove anything."}},
	{string(logs.Cycle), sarifText{"Events have to happen before themselves."}},
	{string(logs.Backwards), sarifText{"A clock or a count of a node does not advance."}},
	{string(logs.DuplicateID), sarifText{"Two messages have one identity, or a message is received twice."}},
	{string(logs.SameName), sarifText{"Two nodes log under one name."}},
	{string(logs.LamportLess),
		sarifText{"A message is received at a Lamport clock that is not above that of its send."}},
	{string(logs.Unsent),
		sarifText{"A message is received that nobody has sent, though its sender logs what it sends."}},
	{string(logs.Torn), sarifText{"The last line of a log has no end."}},
	{string(logs.Unreadable), sarifText{"A line of a log makes no sense."}},
	{string(logs.Empty), sarifText{"A file has no events."}},
	{string(logs.Tail), sarifText{"The log of a node ends before what others know of it."}},
	{string(logs.Gap), sarifText{"Counts of events are left out: lines are missing."}},
	{string(logs.Restart), sarifText{"A node has started again: its count begins anew."}},
	{string(logs.Nested),
		sarifText{"A node acquires again while it is inside, and no line is missing between."}},
	{string(logs.Twice),
		sarifText{"A node acquires again while it is inside, and lines may be missing between."}},
	{string(logs.NotInside), sarifText{"A node leaves and is not inside."}},
	{string(logs.NotHeld), sarifText{"A node that is not inside fails to release."}},
	{string(logs.Outlasts), sarifText{"A node releases after its lease has ended."}},
	{"stale-token", sarifText{"A fencing token is not greater than those before it."}},
	{"seams", sarifText{"All overlaps are short and at the seams of stays."}},
	{"short-leases", sarifText{"All leases are over long before the release."}},
	{string(logs.TimeBack), sarifText{"The time stamps of a node run back, which decides nothing."}},
}

// sarif writes the judgement in the Static Analysis Results Interchange Format.
func (v *validation) sarif(w *bufio.Writer) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{v.program.Name, toolVersion(), sarifRules}},
		Results:    []sarifResult{},
		Properties: sarifSummary{string(v.Verdict())},
		ColumnKind: "unicodeCodePoints",
	}
	for _, file := range v.Log.Files {
		run.Artifacts = append(run.Artifacts, sarifArtifact{sarifArtifactLocation{fileURI(file)}})
	}
	for _, p := range v.points() {
		r := sarifResult{
			RuleID: p.rule, Level: p.level,
			Message:   sarifText{strings.Join(append([]string{p.text}, p.details...), "\n")},
			RuleIndex: slices.IndexFunc(sarifRules, func(r sarifRule) bool { return r.ID == p.rule }),
		}
		r.locate(&p)
		run.Results = append(run.Results, r)
	}
	return encodeSARIF(w, &run)
}

// locate takes the places of a point: the first as its own, others once each as
// related ones.
func (r *sarifResult) locate(p *point) {
	seen := map[logs.Place]bool{}
	relate := func(place logs.Place, text string) {
		if seen[place] {
			return
		}
		seen[place] = true
		at := sarifLocation{Physical: sarifAt(place)}
		if text != "" {
			at.Message = &sarifText{text}
		}
		if len(r.Locations) == 0 {
			r.Locations = append(r.Locations, at)
			return
		}
		r.Related = append(r.Related, at)
	}
	for _, place := range p.places {
		relate(place, "")
	}
	if p.overlap == nil {
		return
	}
	for i := range p.overlap.Holdings {
		if s := &p.overlap.Holdings[i]; s.Release != nil {
			relate(*s.Release, s.Node+" leaves")
		}
	}
}

// sarifAt is a place in a file.
func sarifAt(p logs.Place) sarifPhysical {
	at := sarifPhysical{Artifact: sarifArtifactLocation{fileURI(p.File)}}
	if p.Line > 0 {
		at.Region = &sarifRegion{p.Line}
	}
	return at
}
