import { IconPhone } from '@tabler/icons-react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getDutyList } from '#features/warning/duty/duty.contract.ts';
import classes from '#features/warning/warning.module.css';

/** The first measures in a crisis, or while the person cannot be reached, and the telephone numbers to call. */
export function EmergencyCard({ isCrisis }: { isCrisis: boolean }) {
  const { data } = useActionQuery(getDutyList, {}, { quiet: true });
  const lines = (data?.hotlines ?? []).filter(({ number }) => number !== '120' && number !== '110');
  const numbers: [string, string][] = [
    ['急救', '120'],
    ['报警', '110'],
    ...lines.map(({ name, number, hours }): [string, string] => [`${name}（${hours}）`, number]),
    ...(data?.today ?? []).filter((item) => item.phonenumber).map((item): [string, string] => [item.realname, item.phonenumber]),
  ];
  return (
    <section className={classes['emergency']} aria-label="危机处置要点">
      <strong>{isCrisis ? '危机：2 小时内首次接触，不得让当事人独处' : '联系不上本人：立即换一种方式，尽快确认安全'}</strong>
      <ol>
        <li>确认人在何处、身边有谁；安排专人陪伴，移除药品、刀具等危险物品。</li>
        <li>先单独问清身边谁安全，再联系安全的大人或监护人到场；有伤害行为或迹象立即拨打 120 / 110。</li>
        <li>
          {isCrisis
            ? '报告单位负责人；须上报主管部门的，按下方“期限与专项职责”办理并登记。'
            : '报告单位负责人；每次尝试都在这里登记。'}
        </li>
      </ol>
      <div className={classes['phones']} data-noprint>
        {numbers.map(([name, number]) => (
          <a key={name} className={classes['phone']} href={`tel:${number}`}>
            <IconPhone size={16} aria-hidden /> {name} {number}
          </a>
        ))}
      </div>
    </section>
  );
}
