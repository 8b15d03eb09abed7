/** What a path's named parts hold; a part that may be missing and is, is absent. */
export type Params = Readonly<Record<string, string | undefined>>;

/**
 * Does a path fit a pattern, and what do its named parts hold? `/task/:taskcode`, `/task/:taskcode/:tab?`, `/Service/*`. Upper and
 * lower case are the same and a slash at the end is nothing, as people type addresses.
 */
export function matchPath(pattern: string, pathname: string): Params | undefined {
  const parts = pathname.split('/').filter(Boolean);
  const segments = pattern.split('/').filter(Boolean);
  const params: Record<string, string | undefined> = {};
  for (const [index, want] of segments.entries()) {
    if (want === '*') return params;
    const part = parts[index];
    const name = /^:(\w+)(\?)?$/.exec(want);
    if (name) {
      if (part === undefined && !name[2]) return undefined;
      if (part !== undefined) params[name[1] as string] = decoded(part);
    } else if (part?.toLowerCase() !== want.toLowerCase()) return undefined;
  }
  return parts.length > segments.length ? undefined : params;
}

/** A damaged escape stays as it was typed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
