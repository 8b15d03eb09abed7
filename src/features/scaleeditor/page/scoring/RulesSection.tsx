import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { AlertDef, Cond, Scale } from '#domain/scoring/scale.ts';
import { Section } from '#ui/display/Section.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { listOrNothing, nextCode, put, removeAt, replaceAt } from '#features/scaleeditor/page/edits/put.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';
import { ConditionEditor, type Subject } from '#features/scaleeditor/page/scoring/ConditionEditor.tsx';
import classes from './scoring.module.css';

type Validity = NonNullable<Scale['validity']>[number];

/** The first condition of a new rule: the sensitive question, else the last one. */
function firstCondition(scale: Scale): Cond {
  const item = scale.items.find((candidate) => candidate.sensitive) ?? scale.items.at(-1);
  return { item: item?.c ?? 'q1', gte: 1 };
}

/** 预警与效度: when staff are alerted, and when a sheet is in doubt. */
export function RulesSection() {
  const { scale, change } = useEditor();
  const alerts = scale.alerts ?? [];
  const validity = scale.validity ?? [];
  const isRegistration = scale.formtype === '03';
  const subjects: readonly Subject[] = isRegistration ? ['item'] : ['item', 'score', 'level', 'count'];
  const setAlerts = (next: readonly AlertDef[], tag = '') =>
    change((before) => put(before, { alerts: listOrNothing(next) }), tag);
  const setValidity = (next: readonly Validity[], tag = '') =>
    change((before) => put(before, { validity: listOrNothing(next) }), tag);
  const addAlert = () => {
    const c = nextCode(
      'A',
      alerts.map((alert) => alert.c),
    );
    setAlerts([...alerts, { c, when: firstCondition(scale), level: 2, msg: '' }]);
  };
  const addValidity = () => {
    const c = nextCode(
      'V',
      validity.map((rule) => rule.c),
    );
    setValidity([...validity, { c, when: firstCondition(scale), action: 'warn', msg: '' }]);
  };
  return (
    <Stack gap="md">
      <Section
        title={`预警（${alerts.length}）`}
        right={
          <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={!scale.items.length} onClick={addAlert}>
            添加预警
          </Button>
        }
      >
        <Text size="sm" c="dimmed" mb="sm">
          满足条件时立即提醒工作人员，不论总分高低。例如自伤相关的题目有阳性回答。
        </Text>
        <Stack gap="lg" data-place="alerts">
          {alerts.map((alert, index) => (
            <Rule
              key={alert.c}
              title={`预警 ${index + 1}`}
              place={`alerts:${alert.c}`}
              when={alert.when}
              subjects={subjects}
              msg={alert.msg}
              msgLabel="给工作人员的说明"
              msgHint="例如：第 9 题有阳性回答，请尽快面谈核实"
              onWhen={(when) => setAlerts(replaceAt(alerts, index, { ...alert, when }), `alert ${alert.c} when`)}
              onMsg={(msg) => setAlerts(replaceAt(alerts, index, { ...alert, msg }), `alert ${alert.c} msg`)}
              onRemove={() => setAlerts(removeAt(alerts, index))}
            >
              <NativeSelect
                label="等级"
                value={String(alert.level)}
                data-place={`alerts:${alert.c}::level`}
                onChange={(event) =>
                  setAlerts(replaceAt(alerts, index, { ...alert, level: Number(event.currentTarget.value) as AlertDef['level'] }))
                }
                data={[
                  { value: '1', label: '1 级（关注）' },
                  { value: '2', label: '2 级（尽快核实）' },
                  { value: '3', label: '3 级（当日核实）' },
                  ...(alert.level === 4 ? [{ value: '4', label: '4 级' }] : []),
                ]}
              />
            </Rule>
          ))}
        </Stack>
        <Faults codes={alerts.map((alert) => alert.c)} part="alerts" />
      </Section>
      {!isRegistration && (
        <Section
          title={`效度（${validity.length}）`}
          right={
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={!scale.items.length}
              onClick={addValidity}
            >
              添加效度规则
            </Button>
          }
        >
          <Text size="sm" c="dimmed" mb="sm">
            答卷可信度存疑时给出提示，或判为无效（不显示等级、不计入统计，预警照常）。
          </Text>
          <Stack gap="lg" data-place="validity">
            {validity.map((rule, index) => (
              <Rule
                key={rule.c}
                title={`效度规则 ${index + 1}`}
                place={`validity:${rule.c}`}
                when={rule.when}
                subjects={subjects}
                msg={rule.msg}
                msgLabel="说明"
                msgHint="例如：掩饰倾向得分偏高，请谨慎解释结果"
                onWhen={(when) => setValidity(replaceAt(validity, index, { ...rule, when }), `validity ${rule.c} when`)}
                onMsg={(msg) => setValidity(replaceAt(validity, index, { ...rule, msg }), `validity ${rule.c} msg`)}
                onRemove={() => setValidity(removeAt(validity, index))}
              >
                <NativeSelect
                  label="处理"
                  value={rule.action}
                  onChange={(event) =>
                    setValidity(
                      replaceAt(validity, index, {
                        ...rule,
                        action: event.currentTarget.value === 'invalid' ? 'invalid' : 'warn',
                      }),
                    )
                  }
                  data={[
                    { value: 'warn', label: '提示' },
                    { value: 'invalid', label: '判为无效' },
                  ]}
                />
              </Rule>
            ))}
          </Stack>
        </Section>
      )}
    </Stack>
  );
}

/** Faults that belong to no rule in the list. */
function Faults({ codes, part }: { codes: readonly string[]; part: 'alerts' }) {
  const { faults } = useEditor();
  const others = faults.filter(({ place }) => place.part === part && !codes.includes(place.code ?? ''));
  if (!others.length) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {others.map(({ message }) => message).join('；')}
    </Text>
  );
}

interface RuleProps {
  title: string;
  place: string;
  when: Cond;
  subjects: readonly Subject[];
  msg: string;
  msgLabel: string;
  msgHint: string;
  onWhen: (when: Cond) => void;
  onMsg: (msg: string) => void;
  onRemove: () => void;
  children: React.ReactNode;
}

/** One rule: its condition, what happens, and the message. */
function Rule({ title, place, when, subjects, msg, msgLabel, msgHint, onWhen, onMsg, onRemove, children }: RuleProps) {
  const [part, code] = place.split(':') as ['alerts' | 'validity', string];
  return (
    <article className={classes['card']} data-place={place} aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{title}</Text>
        <ActionIcon variant="subtle" color="red" aria-label={`删除${title}`} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <div data-place={`${place}::when`}>
        <ConditionEditor label="条件" value={when} subjects={subjects} isRequired onChange={(next) => next && onWhen(next)} />
      </div>
      <Group gap="sm" align="end">
        {children}
        <TextInput
          label={msgLabel}
          required
          placeholder={msgHint}
          maxLength={150}
          className={classes['grow']}
          value={msg}
          data-place={`${place}::msg`}
          onChange={(event) => onMsg(event.currentTarget.value)}
        />
      </Group>
      <FaultLines place={{ part, code }} />
    </article>
  );
}
