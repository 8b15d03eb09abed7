/** Whether an article may have this link: a secure page, a telephone or a mail address. */
export const isAllowedHref = (href: string): boolean =>
  /^(?:https:\/\/[^\s/]|tel:\+?[\d-]+$|mailto:[^\s@]+@[^\s@]+$)/i.test(href.trim());

/** Completes what was typed as a link: www.example.cn, 010-12345678 and a@example.cn get their beginning. */
export function toHref(typed: string): string {
  const text = typed.trim();
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  if (/^\+?[\d -]{3,20}$/.test(text)) return `tel:${text.replaceAll(' ', '')}`;
  if (/^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(text)) return `https://${text}`;
  return text;
}

/** Returns why a link is refused, or undefined. */
export function describeHrefFault(typed: string): string | undefined {
  const href = toHref(typed);
  if (isAllowedHref(href)) return undefined;
  if (href === '') return '请填写链接';
  return /^http:/i.test(href) ? '只能链接到 https 的网页' : '请填写 https 网址、电话或邮箱';
}
