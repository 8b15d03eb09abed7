/** The words of both apps and of the sign-in page when a call does not reach the server or gets no answer. */
export const UNREACHABLE = '网络连接不上，请检查网络后重试';
export const TOO_SLOW = '等待时间过长，请稍后重试';
/** The words for an answer with a status of 500 or more. */
export const describeOutage = (status: number): string => `系统暂时不可用，请稍后重试（${status}）`;
