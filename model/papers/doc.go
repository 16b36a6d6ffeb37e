// Package papers is what is said about papers whose algorithms are models: a [Paper] has [Claim] after Claim,
// each with a [Ruling] and with [Trial] instances that test it, and [Table] after Table of verdicts, about
// which a [Statement] is a sentence that is tested. The verb claims runs them and writes down each [Finding].
package papers
