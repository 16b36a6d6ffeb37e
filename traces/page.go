package traces

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// asHTML writes a page that needs nothing else: the diagram, and beside it the
// state at the step that the reader is at.
func asHTML(w io.Writer, r *Run, _ Options) error {
	p := newPicture(r.Trace)
	p.f(`<rect id="cursor" x="0" y="0" width="%d" height="%d"/>`, frameWidth, p.height())
	p.drawAll()
	for f := range p.frames {
		p.f(`<rect class="hit" data-frame="%d" x="%d" y="0" width="%d" height="%d"/>`, f, f*frameWidth, frameWidth, p.height())
	}
	return page.Execute(w, map[string]any{
		"Title": r.Trace.Property + " – " + r.Trace.Spec, "Subject": r.Trace.subject(), "Claims": r.Trace.claims(),
		"Tool": r.Trace.Tool, "CycleAt": r.Trace.CycleAt, "Style": template.CSS(svgStyle), "FrameWidth": frameWidth,
		"Names":   template.HTML(svgOf(nameWidth, p.height(), p.names())),
		"Diagram": template.HTML(svgOf(p.width(), p.height(), p.b.String())),
		"Scenes":  r.scenes(p.frames),
	})
}

// svgOf puts a drawing, whose texts are escaped, into its element.
func svgOf(width, height int, drawing string) string {
	return fmt.Sprintf(`<svg class="diagram" viewBox="0 0 %d %d" width="%d" height="%d">%s</svg>`, width, height, width, height, drawing)
}
