import type { FastifyRequest } from 'fastify';

const policy = (nonce: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The component library writes one style element with its variables; a page gets a nonce for it.
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
  ].join('; ');

/** Returns the headers of every response (security.md C34). HSTS only when the request came by https. */
export function securityHeaders(request: FastifyRequest, nonce?: string): Record<string, string> {
  return {
    'content-security-policy': policy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'x-frame-options': 'DENY',
    ...(request.protocol === 'https' ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  };
}
