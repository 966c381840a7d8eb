/**
 * Unique texts in place of secrets and personal data. If such a text appears where it is not allowed, it has leaked.
 */

/** Texts that must not be in any file, log, metric or response. */
interface Secrets {
  pin: string;
  otherPin: string;
  password: string;
  wrongKey: string;
}

/** The personal data of an order. */
export interface Person {
  name: string;
  email: string;
  phone: string;
  street: string;
  postalCode: string;
  gift: string;
}

export interface Canaries {
  secrets: Secrets;
  /** The person to be erased, and the proxy who collects the order for this person. */
  forgotten: Person;
  proxy: Person;
  /** A person who is not erased. */
  kept: Person;
}

export function canariesOf(random: () => number): Canaries {
  const letters = (count: number) =>
    Array.from({ length: count }, () => 'bcdfghjklmnpqrstvwxz'[Math.floor(random() * 20)]!).join('');
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
  const person = (): Person => {
    const own = letters(9);
    return {
      name: `Z${own} Q${letters(9)}`,
      email: `z${own}@${letters(10)}.example`,
      phone: `+44 20${digits(8)}`,
      street: `${digits(2)} ${letters(10)} Terrace`,
      postalCode: `X${digits(7)}`,
      gift: `For ${letters(12)}`,
    };
  };
  return {
    secrets: {
      pin: `77${digits(10)}`,
      otherPin: `88${digits(10)}`,
      password: `pw-${letters(18)}`,
      wrongKey: `wk${letters(30)}`,
    },
    forgotten: person(),
    proxy: person(),
    kept: person(),
  };
}

/** Returns the texts of a person's data, as sent and as the service stores them for searches. */
export function formsOf({ name, email, phone, street, postalCode, gift }: Person): string[] {
  return [...name.split(' '), email, phone, phone.replace(/\D/g, ''), street, postalCode, gift];
}

/** Returns the texts that occur in the bytes, in upper or lower case. */
export function found(bytes: Buffer | string, texts: readonly string[]): string[] {
  const all = (typeof bytes === 'string' ? bytes : bytes.toString('latin1')).toLowerCase();
  return texts.filter((text) => all.includes(text.toLowerCase()));
}
