package logs

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// OTLPAsJSON turns a request to export spans from protobuf, as opentelemetry/proto/trace/v1 has it, to what
// is read of it in JSON, on a line without an end. An error says that it is no such request.
func OTLPAsJSON(b []byte) ([]byte, error) {
	var t otlpTraces
	err := message(b, func(field protowire.Number, part []byte, _ uint64) error {
		if field != 1 {
			return nil
		}
		var r otlpResourceSpans
		err := r.decode(part)
		t.ResourceSpans = append(t.ResourceSpans, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(t)
}

// message calls a function for each field of a message: with its bytes, or its number.
func message(b []byte, field func(protowire.Number, []byte, uint64) error) error {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		var part []byte
		var x uint64
		switch kind {
		case protowire.BytesType:
			part, n = protowire.ConsumeBytes(b)
		case protowire.VarintType:
			x, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			x, n = protowire.ConsumeFixed64(b)
		default:
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		if err := field(number, part, x); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func (r *otlpResourceSpans) decode(b []byte) error {
	return message(b, func(field protowire.Number, part []byte, _ uint64) error {
		switch field {
		case 1:
			return message(part, func(field protowire.Number, part []byte, _ uint64) error {
				return attribute(field == 1, part, &r.Resource.Attributes)
			})
		case 2:
			var s otlpScopeSpans
			err := message(part, func(field protowire.Number, part []byte, _ uint64) error {
				if field != 2 {
					return nil
				}
				var x otlpSpan
				err := x.decode(part)
				s.Spans = append(s.Spans, x)
				return err
			})
			r.ScopeSpans = append(r.ScopeSpans, s)
			return err
		}
		return nil
	})
}

func (x *otlpSpan) decode(b []byte) error {
	return message(b, func(field protowire.Number, part []byte, number uint64) error {
		switch field {
		case 1:
			x.TraceID = hex.EncodeToString(part)
		case 2:
			x.SpanID = hex.EncodeToString(part)
		case 4:
			x.Parent = hex.EncodeToString(part)
		case 5:
			return textOf(part, &x.Name)
		case 7:
			return nanoseconds(number, &x.Begin)
		case 8:
			return nanoseconds(number, &x.End)
		case 11:
			x.Events = append(x.Events, otlpEvent{})
			return x.Events[len(x.Events)-1].decode(part)
		case 13:
			var l otlpLink
			err := message(part, func(field protowire.Number, part []byte, _ uint64) error {
				switch field {
				case 1:
					l.TraceID = hex.EncodeToString(part)
				case 2:
					l.SpanID = hex.EncodeToString(part)
				}
				return nil
			})
			x.Links = append(x.Links, l)
			return err
		}
		return attribute(field == 9, part, &x.Attributes)
	})
}

func (e *otlpEvent) decode(b []byte) error {
	return message(b, func(field protowire.Number, part []byte, number uint64) error {
		switch field {
		case 1:
			return nanoseconds(number, &e.Time)
		case 2:
			return textOf(part, &e.Name)
		}
		return attribute(field == 3, part, &e.Attributes)
	})
}

// attribute reads a key and its value into a list, if it is one. Of values that are lists nothing is kept.
func attribute(is bool, b []byte, list *[]otlpAttribute) error {
	if !is {
		return nil
	}
	a := otlpAttribute{Value: map[string]json.RawMessage{}}
	err := message(b, func(field protowire.Number, part []byte, _ uint64) error {
		switch field {
		case 1:
			return textOf(part, &a.Key)
		case 2:
			return message(part, func(kind protowire.Number, part []byte, number uint64) error {
				switch kind {
				case 1:
					var s string
					err := textOf(part, &s)
					a.Value["stringValue"], _ = json.Marshal(s) // a text can be written
					return err
				case 2:
					a.Value["boolValue"] = strconv.AppendBool(nil, number != 0)
				case 3:
					a.Value["intValue"] = strconv.AppendInt(nil, int64(number), 10)
				case 4:
					if f := math.Float64frombits(number); !math.IsNaN(f) && !math.IsInf(f, 0) {
						a.Value["doubleValue"] = strconv.AppendFloat(nil, f, 'g', -1, 64)
					}
				}
				return nil
			})
		}
		return nil
	})
	*list = append(*list, a)
	return err
}

// textOf reads a text.
func textOf(b []byte, to *string) error {
	if !utf8.Valid(b) {
		return errors.New("a text is not UTF-8")
	}
	*to = string(b)
	return nil
}

// nanoseconds reads a time.
func nanoseconds(x uint64, to *lenientInt) error {
	if x > math.MaxInt64/2 {
		return errors.New("a time is out of range")
	}
	*to = lenientInt(x)
	return nil
}
