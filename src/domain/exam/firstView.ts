/** The words of the respondent's first page. The server writes them into the page, and the page shows them again with its form. */

interface EntryWords {
  clienttitle: string;
  insname: string;
  welcome: string;
  sector: string;
}

/** What the first page says before its form. */
export interface FirstView {
  heading: string;
  /** '' when the heading names the institution already */
  institution: string;
  welcome: string;
  facts: readonly (readonly [title: string, text: string])[];
}

/** Returns the words of an entry. Pupils are addressed with 你, adults with 您. */
export const firstViewOf = ({ clienttitle, insname, welcome, sector }: EntryWords): FirstView => ({
  heading: clienttitle || '心理健康测评',
  institution: clienttitle.includes(insname) ? '' : insname,
  welcome: welcome || `欢迎参加心理健康测评。请根据${sector === 'edu' ? '你' : '您'}的真实感受作答，答案没有对错之分。`,
  facts: [
    ['需要多久', '一般 5–15 分钟，可以中途停下，之后接着答。'],
    ['谁能看到', '下一步的同意书里逐项写明。不会公开，也不会排名。'],
    ['结果说明什么', '只反映近期的情绪状态，不是诊断。'],
  ],
});
