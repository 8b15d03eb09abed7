import { defineEnum } from '#domain/base/enum.ts';

/** The states of a 督办: the institution answers, and the authority accepts the answer or asks again. */
export const SupervisionState = defineEnum({
  waiting: ['01', '待回复'],
  answered: ['02', '已回复'],
  closed: ['03', '已办结'],
});

/** The steps of a 督办. */
export const SupervisionStep = defineEnum({
  open: ['open', '发起督办'],
  join: ['join', '补充督办'],
  reply: ['reply', '机构回复'],
  return: ['return', '退回重办'],
  close: ['close', '办结'],
});

/** Days that an authority proposes for an answer, and the most that it may give. */
export const ANSWER_DAYS = 5;
export const MOST_ANSWER_DAYS = 60;

/** A text without the spaces and dots that could split a name: 张 三 and 张·三 are 张三. */
export const joinName = (text: string): string => text.replace(/[\s\u200b-\u200d\ufeff·•.]/gu, '');

/** What a text says of a person by itself: a mobile number, an ID number, or a covered name such as 张**. */
const NUMBERS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(?<!\d)\d{17}[\dXx](?![\dXx])/u, '身份证号'],
  [/(?<!\d)(?:\+?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}(?!\d)/u, '手机号'],
  [/\p{Script=Han}[*＊×][*＊×]?/u, '带星号的姓名'],
];

/** Names what a text must not contain, such as 手机号; undefined when it has none of them. It does not know names. */
export const findPersonalNumber = (text: string): string | undefined => NUMBERS.find(([pattern]) => pattern.test(text))?.[1];
