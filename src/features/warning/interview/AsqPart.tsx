import { Button, Collapse } from '@mantine/core';
import { useState } from 'react';
import { asq } from '#domain/scoring/scales/asq.ts';
import { toQuestionnaire, type Questionnaire } from '#domain/exam/questionFlow.ts';
import { AsqResult, hasAsqAnswers, triageAsq, type AsqAnswers, type AsqResultCode } from '#domain/warning/asqTriage.ts';
import { Badge, type Tone } from '#ui/display/badges.tsx';
import { LongTextField, type Field } from '#ui/form/fields.tsx';
import { QuestionnaireForm } from '#blocks/questionnaire/QuestionnaireForm.tsx';
import classes from '#features/warning/warning.module.css';

const asqQuestionnaire = toQuestionnaire(asq);
const FIRST_QUESTIONS = ['q1', 'q2', 'q3', 'q4'] as const;

const RESULT_TONES: Readonly<Record<AsqResultCode, Tone>> = {
  '01': 'red',
  '02': 'red',
  '03': 'orange',
  '04': 'orange',
  '05': 'orange',
  '06': 'green',
  '07': 'amber',
};
const RESULT_ADVICE: Readonly<Record<AsqResultCode, string>> = {
  '01': '立即启动危机处置：有人陪伴，不得让本人独处，今天完成全面评估。',
  '02': '按急性处理，直到排除：有人陪伴，不得让本人独处，尽快再谈一次。',
  '03': '须完成简要自杀安全评估，写安全计划，告知监护人。',
  '04': '还缺最后一题（现在有没有自杀的想法）。保存后评估仍待完成。',
  '05': '拒答最后一题：按阳性处理，完成简要自杀安全评估。',
  '06': '前四题均为“否”。',
  '07': '还有题目没有问。没有问完不算阴性，保存后评估仍待完成。',
};

/** Question 5 needs an answer only after a positive one; staff may always ask it. */
function findQuestions(answers: AsqAnswers): { questionnaire: Questionnaire; itemCodes: string[] } {
  const isPositive = FIRST_QUESTIONS.some((code) => answers[code] === '1' || answers[code] === '9');
  const isAnswered = FIRST_QUESTIONS.every((code) => Boolean(answers[code]));
  const showsNow = isPositive || isAnswered || Boolean(answers['q5']);
  return {
    questionnaire: {
      ...asqQuestionnaire,
      items: asqQuestionnaire.items.map((item) => (item.c === 'q5' ? { ...item, required: isPositive } : item)),
    },
    itemCodes: [...FIRST_QUESTIONS, ...(answers['q4'] === '1' ? ['q4t'] : []), ...(showsNow ? ['q5'] : [])],
  };
}

interface Props {
  answers: AsqAnswers;
  /** the interview begins with the ASQ, because the screening asked nothing about self-harm */
  isFirst: boolean;
  skipReason: Field;
  onChange: (answers: AsqAnswers) => void;
}

/** The ASQ in the interview with its result. It may be left out only with a reason when the screening asked nothing about self-harm. */
export function AsqPart({ answers, isFirst, skipReason, onChange }: Props) {
  const isAsked = hasAsqAnswers(answers);
  const [isOpen, setIsOpen] = useState(isFirst || isAsked);
  const [isSkipped, setIsSkipped] = useState(false);
  const { questionnaire, itemCodes } = findQuestions(answers);
  const triage = isAsked ? triageAsq(answers) : null;
  return (
    <>
      {isFirst && (
        <p className={classes['script']}>
          {'本次筛查的问卷没有问到自伤或自杀，所以第一次谈话先问 ASQ（约 3 分钟）：单独、当面、按原句平静地问。'}
        </p>
      )}
      {!isFirst && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'start', flexShrink: 0 }}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? '收起 ASQ' : '询问 ASQ（自杀风险筛查，约 3 分钟）'}
        </Button>
      )}
      <Collapse expanded={isOpen && !(isSkipped && !isAsked)}>
        <QuestionnaireForm
          questionnaire={questionnaire}
          answers={answers}
          itemCodes={itemCodes}
          onChange={(code, answer) => onChange({ ...answers, [code]: answer as string | null })}
        />
      </Collapse>
      <div aria-live="polite">
        {triage && (
          <>
            <Badge tone={RESULT_TONES[triage.result]} shape={triage.level === 4 ? 3 : triage.level === 3 ? 2 : 0}>
              {`ASQ ${AsqResult.label(triage.result)}`}
            </Badge>{' '}
            <span className={classes['quiet']}>{RESULT_ADVICE[triage.result]}</span>
          </>
        )}
      </div>
      {isAsked && (
        <Button variant="subtle" size="compact-sm" style={{ alignSelf: 'start', flexShrink: 0 }} onClick={() => onChange({})}>
          清空 ASQ
        </Button>
      )}
      {isFirst && !isAsked && (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            style={{ alignSelf: 'start', flexShrink: 0 }}
            aria-expanded={isSkipped}
            onClick={() => setIsSkipped(!isSkipped)}
          >
            {isSkipped ? '现在询问 ASQ' : '这次不能询问'}
          </Button>
          {(isSkipped || skipReason.error) && <LongTextField {...skipReason} required maxLength={500} />}
        </>
      )}
    </>
  );
}
