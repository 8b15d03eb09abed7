import { Alert, Button, Group, NumberInput, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Appid, Gender } from '#domain/base/enums.ts';
import type { RequestOf, ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Skeletons, Loaded } from '#ui/feedback/states.tsx';
import { getQuotaList } from '#features/form/form.contract.ts';
import { testComment } from '#features/comments/comments.contract.ts';
import { appOptions, audienceOptions, sectionOptions } from '#features/comments/texts/words.ts';
import classes from './texts.module.css';

type Request = RequestOf<typeof testComment>;

/** 试一试: which paragraph a result gets, and why each other one was not chosen. */
export function TrialTab() {
  const [source, setSource] = useState<'invented' | 'report'>('invented');
  const [section, setSection] = useState<Request['section']>('form');
  const [audience, setAudience] = useState<'self' | 'staff'>('self');
  const [appid, setAppid] = useState<string>(Appid.students);
  const [formcode, setFormcode] = useState('PHQ9');
  const [scores, setScores] = useState<Record<string, number>>({});
  const [gender, setGender] = useState<string | null>(null);
  const [age, setAge] = useState<number | string>('');
  const [reportcode, setReportcode] = useState('');
  const [request, setRequest] = useState<Request>();
  const quotas = useActionQuery(getQuotaList, {}, { quiet: true });
  const trial = useActionQuery(testComment, request);
  const rows = quotas.data ?? [];
  const forms = [...new Map(rows.map((row) => [row.formcode, { value: row.formcode, label: row.formname }])).values()];
  const run = () =>
    setRequest({
      ...{ section, audience, formcode },
      ...(source === 'report'
        ? { reportcode: reportcode.trim() }
        : {
            invented: {
              ...{ appid, scores },
              ...(gender ? { gender: gender as '01' | '02' } : {}),
              ...(typeof age === 'number' ? { age } : {}),
            },
          }),
    });
  return (
    <Stack gap="md">
      <SegmentedControl
        style={{ alignSelf: 'flex-start' }}
        value={source}
        onChange={(next) => setSource(next as 'invented' | 'report')}
        data={[
          { value: 'invented', label: '虚拟结果' },
          { value: 'report', label: '一份真实报告' },
        ]}
        aria-label="用什么试"
      />
      <Group gap="sm" align="flex-end">
        <Select
          label="位置"
          w={180}
          allowDeselect={false}
          data={sectionOptions.filter(({ value }) => value !== 'group')}
          value={section}
          onChange={(next) => setSection(next as Request['section'])}
        />
        <Select
          label="读者"
          w={140}
          allowDeselect={false}
          data={audienceOptions.filter(({ value }) => value !== 'group')}
          value={audience}
          onChange={(next) => setAudience(next as 'self' | 'staff')}
        />
        <Select
          label="量表"
          w={300}
          searchable
          allowDeselect={false}
          data={forms}
          value={formcode}
          onChange={(next) => {
            setFormcode(next ?? '');
            setScores({});
          }}
        />
        {source === 'report' ? (
          <TextInput
            label="报告编号"
            w={180}
            value={reportcode}
            onChange={(event) => setReportcode(event.currentTarget.value)}
            description="查看会留下记录"
          />
        ) : (
          <>
            <Select
              label="人群"
              w={150}
              allowDeselect={false}
              data={appOptions}
              value={appid}
              onChange={(next) => setAppid(next ?? '')}
            />
            <Select
              label="性别"
              w={100}
              clearable
              placeholder="不限"
              data={Gender.options.map(({ value, label }) => ({ value: String(value), label }))}
              value={gender}
              onChange={setGender}
            />
            <NumberInput label="年龄" w={100} min={0} max={120} value={age} onChange={setAge} />
            {rows
              .filter((row) => row.formcode === formcode && (row.isprimary === 1 || row.kind !== '04'))
              .slice(0, 6)
              .map((row) => (
                <NumberInput
                  key={row.quotacode}
                  label={row.quotaname}
                  w={140}
                  placeholder={row.minscore === null ? '' : `${row.minscore}–${row.maxscore}`}
                  value={scores[row.scorecode] ?? ''}
                  onChange={(next) =>
                    setScores(({ [row.scorecode]: _, ...rest }) =>
                      typeof next === 'number' ? { ...rest, [row.scorecode]: next } : rest,
                    )
                  }
                />
              ))}
          </>
        )}
        <Button onClick={run} disabled={!formcode || (source === 'report' && !reportcode.trim())} loading={trial.isFetching}>
          试一试
        </Button>
      </Group>
      {request && (
        <Loaded read={trial} skeleton={<Skeletons.Lines count={5} />}>
          {({ chosen, others, isfallback }) => (
            <Stack gap="md">
              {chosen.length === 0 && <Alert color="orange">这里没有可用的段落，报告的这一部分为空。</Alert>}
              {isfallback && chosen.length > 0 && <Alert color="orange">没有专门的段落，用的是兜底文字。</Alert>}
              {chosen.map(({ commentid, text, because }) => (
                <div key={commentid}>
                  <div className={classes['preview']}>{text}</div>
                  <Text size="sm" c="dimmed" mt={4}>
                    {because}
                  </Text>
                </div>
              ))}
              <NotChosen others={others} />
            </Stack>
          )}
        </Loaded>
      )}
    </Stack>
  );
}

const MOST_LINES = 60;
const OTHER_FORM = '量表不同';

/** The paragraphs that the result does not get, with the reason. Those of other questionnaires are only counted. */
function NotChosen({ others }: Pick<ResponseOf<typeof testComment>, 'others'>) {
  const near = others.filter(({ why }) => why !== OTHER_FORM);
  const far = others.length - near.length;
  return (
    <>
      <Text fw={600}>
        没有选用的 {near.length} 段{far > 0 ? `（另有 ${far} 段属于其他量表）` : ''}
      </Text>
      {near.length > 0 && (
        <ol className={classes['rows']}>
          {near.slice(0, MOST_LINES).map(({ commentid, template, why }, index) => (
            <li key={`${commentid} ${index}`}>
              <Text size="sm">
                {commentid}：{why}
              </Text>
              <Text size="sm" c="dimmed" lineClamp={1}>
                {template}
              </Text>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
