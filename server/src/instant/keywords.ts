/**
 * Words that mean the same everywhere, in the languages people write most: one of them never stands for another when two
 * pieces of code are compared by their shape. Core's `COMMON_WORDS` are in lower case and hold words of comments too, which
 * are names here. The ranker was fitted with these: a change here wants it fitted again.
 */
export const KEYWORDS: ReadonlySet<string> = new Set(
  `abstract as async await begin bool boolean break byte case catch chan char class const continue crate def default
  defer del delete do double elif else end enum except export extends extern false final finally float fn for foreach
  from fun func function global go goto if impl implements import in instanceof int interface is lambda let long loop
  map match mod module move mut namespace new nil None not null number object or override package pass private
  protected pub public raise range readonly ref return Self self static str string struct super switch synchronized
  then this throw throws trait True False true try type typeof undefined union unsafe until use using val var void
  volatile where while with yield`.split(/\s+/),
);
