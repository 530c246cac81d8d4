/**
 * Why whatever is cancelled is cancelled: nobody wants it any more. One for all, since a new one per key, with the stack that
 * leads to it, costs as much as the rest of the key.
 */
export const UNWANTED = new DOMException("Nobody wants it any more.", "AbortError");
