/** The named parameters of a path; a missing optional parameter is absent. */
export type Params = Readonly<Record<string, string | undefined>>;

/**
 * Matches a path with a pattern and returns its named parameters: `/task/:taskcode`, `/task/:taskcode/:tab?`, `/Service/*`. It
 * ignores upper and lower case and a slash at the end, because people type addresses.
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

/** An invalid percent escape stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
