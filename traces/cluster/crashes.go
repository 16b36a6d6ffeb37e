package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces/capture"
)

// act kills whom it is time to kill, and tells those of crashes whom it is time to tell.
// It returns when something is to be done next.
func (s *supervisor) act() (next time.Time) {
	now := time.Now()
	due, next := s.due(now, len(s.plan) > 0 && s.still())
	for _, p := range due {
		s.kill(p)
	}
	for _, p := range s.live() {
		c := s.children[p]
		c.tidings = slices.DeleteFunc(c.tidings, func(t tiding) bool {
			if t.at.After(now) {
				if t.at.Before(next) {
					next = t.at
				}
				return false
			}
			c.toldOf = c.toldOf.With(t.dead)
			c.tell(order{Notice: &t.dead})
			return true
		})
	}
	return next
}

// due takes those from the plan whom it is time to kill, and says when it is time for the next. late:
// there will not be more entries.
func (s *supervisor) due(now time.Time, late bool) (due []model.Proc, next time.Time) {
	next = s.deadline
	s.plan = slices.DeleteFunc(s.plan, func(k planned) bool {
		at := s.begun.Add(k.after)
		is := k.after > 0 && !at.After(now) || k.after == 0 && (late || s.entries() >= k.entries)
		if is {
			due = append(due, k.process)
		} else if k.after > 0 && at.Before(next) {
			next = at
		}
		return is
	})
	return due, next
}

// kill ends a process, or tells it to end while it sends.
func (s *supervisor) kill(p model.Proc) {
	c := s.children[p]
	c.doomed = true
	if s.CrashInside {
		c.tell(order{CrashSoon: true})
		return
	}
	_ = c.cmd.Process.Kill() // if it has exited, that is heard
}

// crashed ends the log of p, which has crashed, and sees to it that the others are told.
func (s *supervisor) crashed(p model.Proc) error {
	s.result.Killed = append(s.result.Killed, s.Nodes.Names[p])
	if err := logCrash(s.files[p], s.Nodes.Names[p], s.referee != nil); err != nil {
		return err
	}
	if !noticed(s.Nodes) || s.referee != nil {
		return nil
	}
	for _, q := range s.live() {
		late := time.Duration(s.rng.Int64N(int64(2*s.Pace.Delay) + 1))
		s.children[q].tidings = append(s.children[q].tidings, tiding{p, time.Now().Add(late)})
	}
	return nil
}

// logCrash appends an event crash to the log of a node. If its last line is torn, the log
// stays as it is. timed: nobody took a step meanwhile, so that the time is an order.
func logCrash(file, node string, timed bool) error {
	text, err := os.ReadFile(file)
	if err != nil || !bytes.HasSuffix(text, []byte("\n")) {
		return err
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	var last struct {
		Seq   uint64
		Clock capture.Clock
	}
	if err := json.Unmarshal(text[bytes.LastIndexByte(text, '\n')+1:], &last); err != nil {
		return fmt.Errorf("the last line of %s: %w", file, err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(f, nil)).With("node", node, "event", "crash", "seq", last.Seq+1)
	if last.Clock != nil {
		last.Clock[node]++
		log = log.With("clock", last.Clock)
	}
	if timed {
		now := time.Now()
		log = log.With("begin", now, "end", now)
	}
	log.Info("crash")
	return f.Close()
}

// entries returns how often processes have entered, as far as they have reported.
func (s *supervisor) entries() (n int) {
	n = s.result.Entries // of those that have come up again since
	for _, c := range s.children {
		if c != nil {
			n += c.Entries
		}
	}
	return n
}

// quiet reports whether nothing can happen any more.
func (s *supervisor) quiet() bool { return len(s.plan) == 0 && s.still() }

// still reports whether nothing can happen any more but crashes. All processes were
// idle when they last reported, and every envelope that one had sent another by then had
// arrived. So no envelope can have made one of them active since: the first such envelope would
// have been sent before its sender's report, and not have arrived before its receiver's.
func (s *supervisor) still() bool {
	live := s.live()
	for _, p := range live {
		c := s.children[p]
		if !c.Idle || c.ended || len(c.tidings) > 0 || c.toldOf&^c.Noticed != 0 || c.doomed &&
			!s.CrashInside {
			return false
		}
		for _, q := range live {
			if len(s.children[q].Sent) == 0 || s.children[q].Sent[p] != c.Arrived[q] {
				return false
			}
		}
		for q, gone := range s.children {
			if gone != nil && gone.exited && !c.Closed.Has(model.Proc(q)) {
				return false
			}
		}
	}
	return true
}
