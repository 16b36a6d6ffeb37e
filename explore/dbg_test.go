package explore_test
import ("testing";"context";"fmt"
"github.com/atmostk/atmostk/explore"
"github.com/atmostk/atmostk/specs")
func TestDbg(t *testing.T){
 for _, s := range specs.All { if s.Name=="lamport-mutex" {
  in, _, err := s.Instantiate([]string{"n=3","max-clock=6"}); if err!=nil {t.Fatal(err)}
  explore.Run(context.Background(), in, explore.Options{Workers:1})
  fmt.Println(in.Space.(interface{Sizes() string}).Sizes())
 }}
}
