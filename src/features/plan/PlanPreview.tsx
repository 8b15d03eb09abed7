import { Accordion, Drawer, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { Facts } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getPlanFormDetails, type PlanRow } from '#features/plan/plan.contract.ts';

/** Shows the questionnaires of a plan with their questions, in the order of the exam. */
export function PlanPreview({ row, onClose }: { row: PlanRow; onClose: () => void }) {
  const [openFormcode, setOpenFormcode] = useState<string | null>(row.forms[0]?.formcode ?? null);
  return (
    <Drawer opened onClose={onClose} title={row.planname} size="min(640px, 100vw)">
      <Stack gap="md">
        <Facts
          facts={[
            ['人群', Appid.label(row.appid)],
            ['用时', `${row.minutes} 分钟 · ${row.itemcount} 题`],
            ['复测间隔', row.retestdays ? `${row.retestdays} 天` : ''],
            ['阶段', row.stages.map((stage) => stage.stagename).join('、')],
            [
              '知情确认',
              row.acknowledgement &&
                `${row.acknowledgement.name}（${row.acknowledgement.time.slice(0, 16)}）：${row.acknowledgement.content}`,
            ],
          ]}
        />
        {row.introduce && <Text size="sm">{row.introduce}</Text>}
        <Accordion value={openFormcode} onChange={setOpenFormcode} variant="separated">
          {row.forms.map((form) => (
            <Accordion.Item key={`${form.formcode} ${form.stagecode}`} value={form.formcode}>
              <Accordion.Control>
                {form.ordernum}. {form.formname}
                {form.required === 0 && '（选答）'}
              </Accordion.Control>
              <Accordion.Panel>
                {openFormcode === form.formcode && <Questions plancode={row.plancode} formcode={form.formcode} />}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Stack>
    </Drawer>
  );
}

function Questions({ plancode, formcode }: { plancode: string; formcode: string }) {
  const read = useActionQuery(getPlanFormDetails, { plancode, formcode });
  return (
    <Loaded read={read} skeleton={<Skeletons.Lines />}>
      {({ form, questions, licencetext }) => (
        <Stack gap="sm">
          {(form.recall || form.introduce) && (
            <Text size="sm" c="dimmed">
              {form.introduce || form.recall}
            </Text>
          )}
          <ol style={{ margin: 0, paddingLeft: 22, display: 'grid', gap: 8 }}>
            {questions.map((question) => (
              <li key={question.no}>
                <Text size="sm">{question.title || '（题干文字由机构提供后显示）'}</Text>
                <Text size="xs" c="dimmed">
                  {question.options
                    .map((option) => (option.score == null ? option.label : `${option.label} ${option.score}`))
                    .join(' / ')}
                </Text>
              </li>
            ))}
          </ol>
          {licencetext && (
            <Text size="xs" c="dimmed">
              {licencetext}
            </Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
