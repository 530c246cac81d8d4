/** Chroma behind an interface: the only file that knows its client and its metadata. */

/** One live chunk of one file. */
export interface VectorRecord {
  /** `<path>#<text hash>`; see {@link vectorId}. */
  readonly id: string;
  readonly embedding: readonly number[];
  readonly document: string;
  readonly metadata: VectorMetadata;
}

/** Stored for people and other Chroma clients; Dhi itself reads lines from `index.db`. */
export interface VectorMetadata {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly language: string;
  readonly node_type: string;
}

export interface VectorHit {
  readonly path: string;
  readonly textHash: string;
  /** Cosine distance, 0 (same direction) to 2. */
  readonly distance: number;
}
