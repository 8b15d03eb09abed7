import { adults } from '#seed/demo/shelf/adults.ts';
import type { DemoArticle } from '#seed/demo/shelf/demoArticle.ts';
import { teenagers } from '#seed/demo/shelf/teenagers.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';

const closing = `<p>这些方法不能代替医生。难受持续两周以上，或已经影响吃饭、睡觉、上学上班，请找心理老师或到医院心理科谈谈。
有伤害自己的念头时，请马上告诉身边信任的人，也可以拨打 <a href="tel:12356">12356</a> 或 <a href="tel:120">120</a>。</p>`;

/** The article with the paragraph that ends each text about wellbeing. */
const withClosing = (article: DemoArticle): DemoArticle =>
  article.category === '01' ? { ...article, content: `${article.content}${closing}` } : article;

/** The articles of the platform: every institution reads them. */
const platform: readonly DemoArticle[] = [
  {
    title: '心理测评结果怎么看',
    summary: '分数说的是最近一段时间，不是给人下结论。三个问题帮您读懂报告。',
    category: '01',
    audience: '03',
    appids: [],
    levels: [0, 1],
    author: '平台编辑部',
    istop: 1,
    published: -480,
    content: `<p>做完测评，很多人第一眼看分数，然后开始担心。其实报告更像一张天气图：它说的是最近一两周的情绪天气，不是一个人的性格，也不是医生的诊断。</p>
<h3>它说的是哪段时间？</h3><p>大多数问卷问的是“最近两周”。考试、生病、和人吵架，都会让分数高一些。过一段时间再测，常常就不同了。</p>
<h3>它能告诉我什么？</h3><ul><li>哪些方面最近比较吃力，例如睡眠、精力、担心。</li><li>要不要多留意，或者找人谈一谈。</li></ul>
<h3>它不能告诉我什么？</h3><ul><li>它不能说明为什么难受。</li><li>它不能代替面谈，更不能给人贴标签。</li></ul>
<blockquote>如果报告和自己的感受不一样，以感受为准，并把这一点告诉老师或医生。</blockquote>`,
  },
  {
    title: '难受的时候，可以找谁',
    summary: '身边的人、学校和单位里的人、电话那头的人。求助是一种能力。',
    category: '02',
    audience: '03',
    appids: [],
    levels: [1, 2],
    author: '平台编辑部',
    published: -470,
    content: `<p>难受的时候开口，不是麻烦别人，是给别人一个帮忙的机会。可以从最容易的一步开始。</p>
<h3>身边的人</h3><p>想一个听你说话不急着下结论的人。可以这样开头：“我最近不太好，你有十分钟吗？不用给建议，听我说说就行。”</p>
<h3>学校、单位、社区里的人</h3><p>心理老师、校医、产科和社区医生、工会的同事，都见过很多和你相似的难处。在测评页面点“联系我”的按钮，也会有人回应。</p>
<h3>电话那头的人</h3><ul>
<li><a href="tel:12356">12356</a>：全国统一心理援助热线。</li>
<li><a href="tel:120">120</a>：受伤、服错药、身体很不舒服。</li>
<li><a href="tel:110">110</a>：有人正在伤害你，或有危险。</li>
</ul>
<blockquote>如果第一次没有找对人，请再试一次。总有人愿意听。</blockquote>`,
  },
];

const provider: readonly DemoArticle[] = [
  ...teenagers,
  ...adults,
  {
    title: '寒假前的情绪小课堂',
    summary: '线上公开课预告：考试、假期和家里的相处。',
    category: '04',
    audience: '03',
    appids: ['000000002'],
    levels: [],
    author: '安澜心理',
    published: 6,
    content: `<p>期末之后，我们准备了一次线上小课堂，四十分钟，随时可以离开，不点名，也不用开摄像头。</p>
<ol><li>考完以后，为什么反而空落落的？</li><li>作息乱了，怎样一点点调回来？</li><li>在家和大人起争执时，可以怎样停下来？</li></ol>
<p>时间和进入方式会在开课前三天写在这里。</p>`,
  },
  {
    title: '线上讲座通知：认识压力',
    summary: '本场讲座已经结束。',
    category: '02',
    audience: '03',
    appids: [],
    levels: [],
    author: '安澜心理',
    published: -60,
    offline: -30,
    content: `<p>讲座时间：周三 19:30，约一小时。内容：压力从哪里来，身体怎样提醒我们，三个可以马上做的小练习。</p>`,
  },
  {
    title: '假期作息，慢慢调',
    summary: '写作中：开学前一周，每天早睡十五分钟。',
    category: '01',
    audience: '01',
    appids: ['000000002'],
    levels: [],
    author: '方敏',
    published: undefined,
    content: `<p>作息不用一天改回来。开学前一周，每天早睡十五分钟，早起十五分钟，身体会跟上。</p>`,
  },
];

const school: readonly DemoArticle[] = [
  {
    title: '考前安睡：写给初三同学',
    summary: '考试前一晚没睡好，也能正常发挥。睡前一小时可以这样安排。',
    category: '01',
    audience: '01',
    appids: ['000000002'],
    levels: [0, 1, 2],
    author: '陈静怡',
    source: '晨光中学心理辅导室',
    published: -200,
    content: `<p>每年考试前都有同学来问：睡不着怎么办？先说一件让人放心的事：只有一两个晚上睡得少，第二天的发挥通常不受多大影响。让人累的，往往是“我必须马上睡着”这个念头。</p>
<h3>睡前一小时</h3><ul><li>收好书包和准考证，然后合上书。</li><li>手机放到房间外面，闹钟用闹钟。</li><li>灯调暗，做点慢的事：洗热水脚、听轻音乐、整理桌面。</li></ul>
<h3>躺下以后</h3><p>吸气数到四，呼气数到六，做十次。走神了没关系，回到呼吸就好。二十分钟还醒着，就起来坐一会儿，困了再躺下。</p>
<h3>第二天早上</h3><p>按平时的时间起床，吃早饭，早点出门。告诉自己：我准备过了，按会的写。</p>
<p>连着两周都睡不好，或者一到晚上就心慌，欢迎来心理辅导室坐坐。</p>`,
  },
  {
    title: '心理辅导室开放时间',
    summary: '周一到周五中午和放学后都有老师在，可以预约，也可以直接来。',
    category: '02',
    audience: '03',
    appids: ['000000002'],
    levels: [1, 2],
    author: '马文博',
    source: '晨光中学德育处',
    istop: 1,
    published: -190,
    content: `<table><thead><tr><th>时间</th><th>老师</th></tr></thead><tbody>
<tr><td>周一、周三、周五 12:20—13:20</td><td>陈静怡</td></tr><tr><td>周二、周四 12:20—13:20</td><td>陆远</td></tr>
<tr><td>每天 16:40—17:30</td><td>当天值班老师</td></tr></tbody></table>
<p>地点：实验楼 203。可以在手机上点“预约咨询”，也可以直接敲门。</p>
<ul><li>来聊什么都可以：学习、朋友、家里的事，或者只想安静坐一会儿。</li><li>谈话内容会保密。有人身安全的危险时，老师会告诉能帮忙的大人，并且先和你说。</li></ul>
<p>晚上和周末难受时，可以拨打 <a href="tel:12356">12356</a>。</p>`,
  },
];

/** The articles of the platform, the provider and 晨光中学, by the account that writes them. */
export const articles: readonly (readonly [by: StaffLogin | 'platform', articles: readonly DemoArticle[]])[] = [
  ['platform', platform.map(withClosing)],
  ['demo_fws', provider.map(withClosing)],
  ['demo_psych', school.slice(0, 1).map(withClosing)],
  ['demo_school', school.slice(1)],
];
