/** The major number of a version: `2` of `2.1.0`. Sheets of two major versions could score differently. */
export const majorOf = (version: string): string => version.split('.', 1)[0] ?? '';

/** Whether results of two versions of a form may be joined. A result without a version is older than versions; it joins all. */
export const isSameMajor = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || majorOf(one) === majorOf(other);

/** The mark between results of two major versions. */
export const BREAK_WORDS = '版本变更，前后不可直接比较';
/** The mark of every result of a withdrawn version. */
export const WITHDRAWN_WORDS = '该版本计分有误';
