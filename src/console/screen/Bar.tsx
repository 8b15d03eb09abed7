/** A bar of a share between 0 and 1. The page's policy forbids style attributes, so a progress element draws it. */
export function Bar({ share, className = '' }: { share: number; className?: string }) {
  return <progress className={`bar ${className}`} value={share} max={1} aria-hidden="true" />;
}
