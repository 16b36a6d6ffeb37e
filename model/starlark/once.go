package starfile

import (
	"fmt"

	"go.starlark.net/syntax"
)

// onceEach refuses that a name of a file is given twice, but in the branches of an if, of which one is taken.
func onceEach(f *syntax.File) error {
	_, err := namesGiven(f.Stmts, map[string]syntax.Position{})
	return err
}

// namesGiven adds to the names that are given before some statements those that they give.
func namesGiven(stmts []syntax.Stmt, before map[string]syntax.Position) (map[string]syntax.Position, error) {
	names := map[string]syntax.Position{}
	for name, at := range before {
		names[name] = at
	}
	give := func(name string, at syntax.Position) error {
		if was, twice := names[name]; twice {
			return &located{at.String(),
				fmt.Sprintf("%s is given twice, here and in line %d; a file gives a name "+
					"once, or in each branch of an if", name, was.Line)}
		}
		names[name] = at
		return nil
	}
	for _, stmt := range stmts {
		start, _ := stmt.Span()
		fresh := map[string]bool{}
		var branches [][]syntax.Stmt
		switch n := stmt.(type) {
		case *syntax.AssignStmt:
			targetNames(n.LHS, fresh)
		case *syntax.DefStmt:
			fresh[n.Name.Name] = true
		case *syntax.ForStmt:
			targetNames(n.Vars, fresh)
			branches = [][]syntax.Stmt{n.Body}
		case *syntax.IfStmt:
			branches = [][]syntax.Stmt{n.True, n.False}
		}
		for name := range fresh {
			if err := give(name, start); err != nil {
				return nil, err
			}
		}
		all := names
		for _, body := range branches {
			after, err := namesGiven(body, names)
			if err != nil {
				return nil, err
			}
			all = unionOf(all, after)
		}
		names = all
	}
	return names, nil
}

func unionOf(a, b map[string]syntax.Position) map[string]syntax.Position {
	all := map[string]syntax.Position{}
	for name, at := range b {
		all[name] = at
	}
	for name, at := range a {
		all[name] = at
	}
	return all
}
