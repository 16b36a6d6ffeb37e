package ring

import "github.com/atmostk/atmostk/model"

type lengths = map[string]int

var verdicts = []struct {
	spec model.Spec
	args string
	want lengths
}{
	{Election, "n=3 starts=2 order=descending", nil},
	{Basic, "n=3 tickets=on", lengths{"me3": 12}},
	{Basic, "n=2 ring-up=all", lengths{"mutual-exclusion": 16, "one-token": 11, "requests-served": 12}},
	{Basic, "n=2 ring-up=all after-election=keep", lengths{"mutual-exclusion": 16, "one-token": 11}},
	{Recovery, "n=3 f=1", lengths{"one-token": 16, "deadlock-freedom": 20, "no-lost-request": 10, "requests-served": 20, "token-stable": 20, "token-recurs": 20}},
	{Recovery, "n=3 f=2", lengths{"one-token": 13, "no-lost-request": 9, "requests-served": 20, "token-stable": 20, "token-recurs": 20}},
	{Recovery, "n=3 f=1 release=code", lengths{"one-token": 16, "deadlock-freedom": 20, "no-lost-request": 10, "requests-served": 20, "token-stable": 20, "token-recurs": 20}},
	{Recovery, "n=3 f=2 release=code", lengths{"one-token": 13, "no-lost-request": 9, "requests-served": 20, "token-stable": 20, "token-recurs": 20}},
	{Recovery, "n=3 f=2 release=prose", lengths{"one-token": 13, "no-lost-request": 9, "requests-served": 20, "token-stable": 20, "token-recurs": 20}},
	{Recovery, "n=3 f=1 after-election=reset", lengths{"mutual-exclusion": 19, "one-token": 14, "one-usable-token": 16, "no-lost-request": 10, "requests-served": 15}},
	{Recovery, "n=3 f=1 coordinator-off=no repair=full", lengths{"no-lost-request": 10, "requests-served": 1}},
	{Recovery, "n=3 f=2 token-time=token", lengths{"one-token": 13, "no-lost-request": 9}},
	{Recovery, "n=3 f=1 list=auto", lengths{"deadlock-freedom": 5, "recoverable": 3, "requests-served": 4, "election-stable": 3, "token-stable": 3, "token-recurs": 3, "rup-terminates": 3}},
	{Recovery, "n=3 f=2 list=auto-no-self guard=none", lengths{"one-token": 17, "deadlock-freedom": 7, "recoverable": 6, "no-lost-request": 11, "requests-served": 7, "election-stable": 6, "token-stable": 6, "token-recurs": 6, "rup-terminates": 6}},
	{Recovery, "n=3 f=2 list=auto guard=none repair=full", lengths{"no-lost-request": 10}},
	{Recovery, "n=3 f=1 list=literal repair=full", lengths{"mutual-exclusion": 13, "one-token": 8, "one-usable-token": 9, "no-lost-request": 7, "requests-served": 10, "election-stable": 9}},
	{Recovery, "n=3 f=2 repair=participant+orphan+drop", lengths{"one-token": 23, "no-lost-request": 9}},
	{Recovery, "n=3 f=1 repair=participant+orphan+epoch", lengths{"one-token": 16, "no-lost-request": 10}},
	{Recovery, "n=3 f=2 repair=full", lengths{"no-lost-request": 9}},
	{Recovery, "n=3 f=2 repair=participant+orphan+drop2+epoch", lengths{"no-lost-request": 9}},
	{Recovery, "n=3 f=2 min-k=2", lengths{"one-token": 16, "deadlock-freedom": 6, "recoverable": 5, "no-lost-request": 10, "requests-served": 6, "election-stable": 5, "token-stable": 5, "token-recurs": 5, "rup-terminates": 5}},
	{Recovery, "n=3 f=2 min-k=3 repair=full", lengths{"deadlock-freedom": 5, "recoverable": 3, "requests-served": 4, "election-stable": 3, "token-stable": 3, "token-recurs": 3, "rup-terminates": 3}},
	{Recovery, "n=3 f=2 rounds=2", lengths{"one-token": 13, "one-usable-token": 25, "no-lost-request": 9, "requests-served": 20, "token-stable": 20, "token-recurs": 20}},
	{Recovery, "n=3 f=2 rounds=2 repair=full", lengths{"no-lost-request": 9}},
	{Recovery, "scheme=1 n=2 f=1 release=code", lengths{"one-token": 18, "deadlock-freedom": 31, "no-lost-request": 11, "requests-served": 31, "token-stable": 30, "token-recurs": 30}},
	{Recovery, "scheme=1 n=2 f=1 after-election=reset", lengths{"mutual-exclusion": 21, "one-token": 16, "one-usable-token": 18, "deadlock-freedom": 31, "no-lost-request": 11, "requests-served": 19, "token-stable": 30, "token-recurs": 30}},
	{Recovery, "scheme=1 n=2 f=1 repair=full", lengths{"no-lost-request": 11}},
	{Recovery, "scheme=1 n=2 f=1 repair=participant+drop", lengths{"one-token": 24, "deadlock-freedom": 31, "no-lost-request": 11, "requests-served": 31, "token-stable": 30, "token-recurs": 30}},
	{Recovery, "n=2 scheme=0 start=cold repair=full", lengths{"no-lost-request": 8}},
	{Recovery, "n=2 breaks=1", lengths{"one-token": 15, "deadlock-freedom": 19, "no-lost-request": 9, "requests-served": 19, "token-stable": 19, "token-recurs": 19}},
	{Recovery, "n=2 breaks=1 variant=repaired", nil},
	{Recovery, "n=3 f=2 variant=repaired", nil},
	{Recovery, "scheme=1 n=2 f=1 variant=repaired", nil},
	{Recovery, "n=2 breaks=1 lasting=yes variant=repaired", lengths{"mutual-exclusion": 13, "one-token": 8, "one-usable-token": 9, "requests-served": 10, "election-stable": 10}},
	{Recovery, "scheme=1 n=2 f=1 max-err=2 variant=repaired", lengths{"recoverable": 4, "requests-served": 7, "election-stable": 6, "token-stable": 6, "token-recurs": 6, "rup-terminates": 6}},
	{Recovery, "n=3 f=1 max-err=3 variant=repaired", nil},
	{Recovery, "n=4 f=2 min-k=3 rounds=0 variant=repaired", lengths{"deadlock-freedom": 5, "recoverable": 5, "min-k": 8, "election-stable": 5, "token-stable": 5, "token-recurs": 5, "rup-terminates": 5}},
	{Basic, "n=2 f=1", lengths{"requests-served": 7}},
	{Basic, "n=3 breaks=1 order=descending", lengths{"requests-served": 8}},
}
