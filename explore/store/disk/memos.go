package disk

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/protocol"
)

// The columns of a file of memos.
const (
	columnProc    = iota
	columnReceipt // 1 or 0
	columnLocal   // from here on the numbers of components
	columnEnvelope
	columnDead
	memoColumns
)

// WriteMemos writes what was kept in a search of a model to a new file.
func WriteMemos(files store.Files, model string, level int, all []kernel.Kept) (store.Run, error) {
	w, err := store.Create(files, fmt.Sprintf("memos/level-%06d-%s.memos", level, rand.Text()[:10]),
		store.Header{Kind: store.Memos, Model: model, Level: level, Columns: memoColumns})
	if err != nil {
		return store.Run{}, err
	}
	defer w.Discard()
	for _, k := range all {
		row := [memoColumns]uint32{
			columnProc:     uint32(k.Proc),
			columnLocal:    w.Number(columnLocal, []byte(k.Local)),
			columnEnvelope: w.Number(columnEnvelope, []byte(k.Envelope)),
			columnDead:     w.Number(columnDead, binary.AppendUvarint(nil, uint64(k.Dead))),
		}
		if k.Receipt {
			row[columnReceipt] = 1
		}
		if err := w.AddRow(row[:]); err != nil {
			return store.Run{}, err
		}
	}
	return w.Close()
}

// ReadMemos reads a file of memos of a model.
func ReadMemos(files store.Files, model, name string) (all []kernel.Kept, err error) {
	r, err := store.Open(files, name, store.Memos, model)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // nothing was written
	if r.Header.Columns != memoColumns {
		return nil, r.Damaged("it has other columns")
	}
	part := func(column, row int) []byte { return r.Components[column][r.Columns[column][row]] }
	err = r.Each(func() error {
		for i, p := range r.Columns[columnProc] {
			dead, _ := binary.Uvarint(part(columnDead, i))
			all = append(all, kernel.Kept{Proc: protocol.Proc(p), Receipt: r.Columns[columnReceipt][i] == 1,
				Dead: protocol.Set(dead), Local: string(part(columnLocal, i)),
				Envelope: string(part(columnEnvelope, i))})
		}
		return nil
	})
	return all, err
}
