// Rules of the Chinese that users read: no developer's words, and names of questionnaires written one way.

/** Refused words in texts with Chinese, with the words to write instead. */
const words = [
  [/后端|前端|接口|报文|线程|缓存|会话|数据库/, '写用户看得懂的话：网络、系统、登录设备、记录'],
  [/\b(null|undefined|NaN|JSON|token|API|SQL)\b/, '不写程序里的词'],
  [/PHQ[0-9]|GAD[0-9]|GDS15|SCL90|DASS21|PSS10|WHO5/, '量表名称带连字符：PHQ-9、GAD-7'],
];
const CHINESE = /[\u4e00-\u9fff]/;

const plainWords = {
  meta: { type: 'suggestion', schema: [], messages: { word: '“{{word}}”：{{advice}}' } },
  create(context) {
    const check = (node, template) => {
      // {{…}} of a template of reports names a score.
      const text = template.replace(/\{\{.*?\}\}/g, '');
      if (!CHINESE.test(text)) return;
      for (const [pattern, advice] of words) {
        const match = pattern.exec(text);
        if (match) context.report({ node, messageId: 'word', data: { word: match[0], advice } });
      }
    };
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      JSXText: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
    };
  },
};

export const chinese = { rules: { 'plain-words': plainWords } };
