/** Returns the nodes whose label contains the text, each with the nodes above it and all nodes below it. */
export function filterTree<T extends { label: string; children: readonly T[] }>(nodes: readonly T[], text: string): T[] {
  const sought = text.trim().toLowerCase();
  if (sought === '') return [...nodes];
  return nodes.flatMap((node) => {
    if (node.label.toLowerCase().includes(sought)) return [node];
    const children = filterTree(node.children, sought);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}
