// Rules of the English: comments that a stranger understands, and names that describe their values.

/** Refused phrases, which hide the actor or the noun, with the advice for each. */
const phrases = [
  [/\b(whoever|whom|whomever)\b/i, 'Name the person: “staff who …”, “the person”, “the caller”.'],
  [/\bwhat\b.{0,30}?\bis\s+(what|kept|told|said|asked|given)\b/i, 'Name the thing: “the answers”, “the message”, “the row”.'],
];
const MAX_COMMENT_LINES = 6;
export const MAX_LINE_LENGTH = 140;

/** Returns the advice for each refused phrase in the text of a comment. */
export function unclearPhrases(text) {
  const flat = text.replace(/\s*\n\s*(\*|\/\/|--)?\s*/g, ' ');
  return phrases.flatMap(([pattern, advice]) => {
    const match = pattern.exec(flat);
    return match ? [`“${match[0]}”: ${advice}`] : [];
  });
}

/** Returns the comments of an SQL text with the number of their first line. Consecutive line comments are one comment. */
export function sqlComments(text) {
  const comments = [];
  let open;
  text.split('\n').forEach((line, index) => {
    const match = /^\s*--\s?(.*)$/.exec(line);
    if (match && open) open.text += `\n${match[1]}`;
    else if (match) comments.push((open = { line: index + 1, text: match[1] }));
    else {
      open = undefined;
      const behind = /(?:^|[\s;,)])--\s?(.*)$/.exec(line);
      if (behind) comments.push({ line: index + 1, text: behind[1] });
    }
  });
  return comments;
}

/** Returns the comments of a file. Consecutive line comments are one comment. */
function commentsOf(sourceCode) {
  const comments = [];
  for (const comment of sourceCode.getAllComments()) {
    const last = comments.at(-1);
    const isAlone = sourceCode.lines[comment.loc.start.line - 1].slice(0, comment.loc.start.column).trim() === '';
    if (comment.type === 'Line' && last?.type === 'Line' && isAlone && last.loc.end.line + 1 === comment.loc.start.line) {
      last.text += `\n${comment.value}`;
      last.loc = { start: last.loc.start, end: comment.loc.end };
      last.range = [last.range[0], comment.range[1]];
    } else if (comment.type !== 'Shebang')
      comments.push({ type: comment.type, text: comment.value, loc: comment.loc, range: comment.range });
  }
  return comments;
}

const clearComments = {
  meta: { type: 'suggestion', schema: [], messages: { unclear: '{{advice}}' } },
  create(context) {
    return {
      Program() {
        for (const { text, loc } of commentsOf(context.sourceCode))
          for (const advice of unclearPhrases(text)) context.report({ loc, messageId: 'unclear', data: { advice } });
      },
    };
  },
};

/** A comment has at most six lines of text. The head of a file, above the first statement after the imports, may be longer. */
const shortComments = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { long: 'A comment of {{lines}} lines: at most {{max}}. Say why in fewer words, or move it to docs/.' },
  },
  create(context) {
    return {
      Program(program) {
        const first = program.body.find((node) => node.type !== 'ImportDeclaration')?.range[0] ?? Infinity;
        for (const { text, loc, range } of commentsOf(context.sourceCode)) {
          const lines = text.split('\n').filter((line) => /[^\s*]/.test(line)).length;
          if (lines > MAX_COMMENT_LINES && range[1] > first)
            context.report({ loc, messageId: 'long', data: { lines: String(lines), max: String(MAX_COMMENT_LINES) } });
        }
      },
    };
  },
};

/** `const [opened, setOpened] = useState(…)`: the setter has the name of the value. */
const stateNames = {
  meta: { type: 'suggestion', schema: [], messages: { setter: 'Call the setter {{expected}}: it belongs to {{name}}.' } },
  create(context) {
    return {
      VariableDeclarator({ id, init }) {
        const callee = init?.type === 'CallExpression' ? init.callee : undefined;
        const called = callee?.type === 'MemberExpression' ? callee.property.name : callee?.name;
        if (called !== 'useState' || id.type !== 'ArrayPattern') return;
        const [value, setter] = id.elements;
        if (value?.type !== 'Identifier' || setter?.type !== 'Identifier') return;
        const expected = `set${value.name[0].toUpperCase()}${value.name.slice(1)}`;
        if (setter.name !== expected) context.report({ node: setter, messageId: 'setter', data: { expected, name: value.name } });
      },
    };
  },
};

/**
 * Refused names. A participle hides the actor; a pronoun hides the thing. The rule checks declared names but no properties,
 * because the words of requests and columns stay.
 */
const vagueNames = new Set('told wanted held asked lastly ahead mend walk remembered theirs ours they whom whose'.split(' '));

const clearNames = {
  meta: { type: 'suggestion', schema: [], messages: { vague: 'Rename “{{name}}”: a name says which thing it is.' } },
  create(context) {
    return {
      'Program:exit'() {
        for (const scope of context.sourceCode.scopeManager.scopes)
          for (const { name, identifiers } of scope.variables)
            if (vagueNames.has(name) && identifiers[0])
              context.report({ node: identifiers[0], messageId: 'vague', data: { name } });
      },
    };
  },
};

export const english = {
  rules: {
    'clear-comments': clearComments,
    'short-comments': shortComments,
    'state-names': stateNames,
    'clear-names': clearNames,
  },
};
