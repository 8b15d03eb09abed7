/** Questionnaires as people paste them from Word, PDF and web pages, with what the reader must find. */
export interface PastedSample {
  name: string;
  text: string;
  title: string;
  /** the texts of the questions */
  items: string[];
  /** the options of the first choice: `从不=0`, or the label alone when it has no points */
  options: string[];
  reverse?: string[];
  types?: Record<string, 0 | 2>;
}

const frequency = ['从不=0', '偶尔=1', '经常=2'];

export const samples: readonly PastedSample[] = [
  {
    name: 'a shared line with points',
    text: '情绪小问卷\n指导语：请按最近两周的感受作答。\n选项：从不=0；偶尔=1；经常=2\n1. 感到紧张\n2. 睡不好\n3. 没有精神',
    title: '情绪小问卷',
    items: ['感到紧张', '睡不好', '没有精神'],
    options: frequency,
  },
  {
    name: 'letters below each question',
    text: '一般情况\n1、您的睡眠怎样\nA. 很好\nB. 一般\nC. 不好\n2、您的胃口怎样\nA. 很好\nB. 一般\nC. 不好',
    title: '一般情况',
    items: ['您的睡眠怎样', '您的胃口怎样'],
    options: ['很好', '一般', '不好'],
  },
  {
    name: 'letters on one line with points in brackets',
    text: '《压力问卷》\n1．事情太多做不完\nA、从不（0分） B、偶尔（1分） C、经常（2分）\n2．担心考试\nA、从不（0分） B、偶尔（1分） C、经常（2分）',
    title: '压力问卷',
    items: ['事情太多做不完', '担心考试'],
    options: frequency,
  },
  {
    name: 'circled numbers',
    text: '生活满意度\n（1）您对生活满意吗？\n①满意 ②一般 ③不满意\n（2）您愿意见朋友吗？\n①愿意 ②一般 ③不愿意',
    title: '生活满意度',
    items: ['您对生活满意吗？', '您愿意见朋友吗？'],
    options: ['满意', '一般', '不满意'],
  },
  {
    name: 'questions named 第1题 with boxes',
    text: '老年生活问卷\n\n第1题 您经常出门吗\n□是  □否\n第2题 您有人说话吗\n□是  □否',
    title: '老年生活问卷',
    items: ['您经常出门吗', '您有人说话吗'],
    options: ['是', '否'],
  },
  {
    name: 'full-width numbers and signs from a PDF',
    text: '教师观察表\n－ 1 －\n评分标准：0=从不，1=偶尔，2=经常\n1． 上课走神\n2． 与同学争吵\n第 1 页 共 2 页\n3． 独自一人\n',
    title: '教师观察表',
    items: ['上课走神', '与同学争吵', '独自一人'],
    options: frequency,
  },
  {
    name: 'a table pasted with tabs',
    text: '近一周情况\n0从不 1偶尔 2经常\n1\t感到疲劳\t0\t1\t2\n2\t头痛\t0\t1\t2\n3\t心慌\t0\t1\t2',
    title: '近一周情况',
    items: ['感到疲劳', '头痛', '心慌'],
    options: frequency,
  },
  {
    name: 'reversed questions marked one by one',
    text: '自信问卷\n选项：1=不同意；2=一般；3=同意\n1. 我觉得自己不错（反向）\n2. 我常觉得不如别人\n3. 我对自己满意（R）',
    title: '自信问卷',
    items: ['我觉得自己不错', '我常觉得不如别人', '我对自己满意'],
    options: ['不同意=1', '一般=2', '同意=3'],
    reverse: ['q1', 'q3'],
  },
  {
    name: 'reversed questions in a list at the end',
    text: '学习动力\n选项：从不=0；偶尔=1；经常=2\n1. 我喜欢上课\n2. 我不想写作业\n3. 我愿意提问\n反向计分题：第1、3题\n计分方法：各题相加。',
    title: '学习动力',
    items: ['我喜欢上课', '我不想写作业', '我愿意提问'],
    options: frequency,
    reverse: ['q1', 'q3'],
  },
  {
    name: 'sections with Chinese numerals',
    text: '家庭问卷\n一、和父母\n1. 父母听我说话\nA. 是\nB. 否\n二、和同伴\n2. 我有好朋友\nA. 是\nB. 否',
    title: '家庭问卷',
    items: ['父母听我说话', '我有好朋友'],
    options: ['是', '否'],
  },
  {
    name: 'questions with Chinese numerals only',
    text: '访谈提纲\n一、您最近过得怎样？\n二、有什么让您担心？\n三、希望得到什么帮助？',
    title: '访谈提纲',
    items: ['您最近过得怎样？', '有什么让您担心？', '希望得到什么帮助？'],
    options: [],
    types: { q1: 0, q2: 0, q3: 0 },
  },
  {
    name: 'a registration form with fill-ins and a multiple choice',
    text: '来访登记\n姓名：____ 性别：____\n1. 您的困扰是（可多选）\nA. 学习\nB. 睡眠\nC. 其他\n2. 您的联系时间：______\n3. 您愿意面谈吗（单选）\nA. 愿意\nB. 再想想',
    title: '来访登记',
    items: ['您的困扰是', '您的联系时间：', '您愿意面谈吗'],
    options: ['学习', '睡眠', '其他'],
    types: { q1: 2, q2: 0 },
  },
  {
    name: 'numbered options below each question',
    text: '心情问卷\n1. 我感到难过\n1 没有\n2 有时\n3 总是\n2. 我想哭\n1 没有\n2 有时\n3 总是',
    title: '心情问卷',
    items: ['我感到难过', '我想哭'],
    options: ['没有=1', '有时=2', '总是=3'],
  },
  {
    name: 'questions that go on in the next line',
    text: '睡眠问卷\n选项：从不=0；偶尔=1；经常=2\n1. 夜里醒来以后\n很难再入睡\n2. 早晨醒得\n太早',
    title: '睡眠问卷',
    items: ['夜里醒来以后很难再入睡', '早晨醒得太早'],
    options: frequency,
  },
  {
    name: 'several questions on one line',
    text: '简短筛查\n选项：是=1；否=0\n1、容易生气 2、容易紧张 3、容易疲倦',
    title: '简短筛查',
    items: ['容易生气', '容易紧张', '容易疲倦'],
    options: ['是=1', '否=0'],
  },
  {
    name: 'options behind the question',
    text: '孕期情绪\n1. 我能看到事情有趣的一面 A.和以前一样 B.不如以前 C.完全不能\n2. 我期待未来 A.和以前一样 B.不如以前 C.完全不能',
    title: '孕期情绪',
    items: ['我能看到事情有趣的一面', '我期待未来'],
    options: ['和以前一样', '不如以前', '完全不能'],
  },
  {
    name: 'brackets for the paper answer',
    text: '工作感受\n（0）从不 （1）偶尔 （2）经常\n1. 下班以后很累（   ）\n2. 不想上班（   ）',
    title: '工作感受',
    items: ['下班以后很累', '不想上班'],
    options: frequency,
  },
  {
    name: 'questions named Q1',
    text: 'Title: none\nQ1. 最近吃得怎样\nA) 好\nB) 不好\nQ2. 最近睡得怎样\nA) 好\nB) 不好',
    title: 'Title: none',
    items: ['最近吃得怎样', '最近睡得怎样'],
    options: ['好', '不好'],
  },
  {
    name: 'points written in front of each option',
    text: '疼痛问卷\n1. 今天疼吗\n0 完全不疼\n1 有点疼\n2 很疼\n2. 影响睡眠吗\n0 不影响\n1 有点影响\n2 很影响',
    title: '疼痛问卷',
    items: ['今天疼吗', '影响睡眠吗'],
    options: ['完全不疼=0', '有点疼=1', '很疼=2'],
  },
  {
    name: 'empty lines, a missing number and marks of a required answer',
    text: '\n\n社区问卷\n\n\n1. 您住几楼？（填空）\n\n3. 您有电梯吗？（必答）\n\nA．有\n\nB．没有\n\n',
    title: '社区问卷',
    items: ['您住几楼？', '您有电梯吗？'],
    options: ['有', '没有'],
    types: { q1: 0 },
  },
];
