/** `cuser.source` of persons who entered without a name, by an assessment code or a scan. */
const ANONYMOUS_SOURCES: readonly string[] = ['03', '04'];

/** Whether a person entered without a name. */
export const isAnonymousSource = (source: string): boolean => ANONYMOUS_SOURCES.includes(source);
