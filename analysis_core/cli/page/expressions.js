// Expressions of bounds and conditions of cases, as JSON schema 1 writes them: Python's integers, `+ - * // %`,
// comparisons, `and or not`, ceil_div, floor_log, max and min.  Exact: integers of any size.

/** A syntax error is a mistake of ours: it is thrown, never drawn as a number. */
function compile(text) {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|\/\/|[<>=!]=|[-+*%()<>,]|\S/g) ?? [];
  let next = 0;
  const take = (...wanted) => (wanted.includes(tokens[next]) ? tokens[next++] : undefined);
  const fail = () => {
    throw new Error(`cannot read '${text}' at '${tokens[next] ?? 'its end'}'`);
  };
  const expect = (token) => take(token) ?? fail();

  const either = () => {
    let left = both();
    while (take('or')) {
      const [a, b] = [left, both()];
      left = (values) => a(values) || b(values);
    }
    return left;
  };
  const both = () => {
    let left = negation();
    while (take('and')) {
      const [a, b] = [left, negation()];
      left = (values) => a(values) && b(values);
    }
    return left;
  };
  const negation = () => {
    if (!take('not')) return comparison();
    const inner = negation();
    return (values) => !inner(values);
  };
  const comparison = () => {
    const parts = [sum()];
    const signs = [];
    for (let sign = take('<', '<=', '>', '>=', '==', '!='); sign; sign = take('<', '<=', '>', '>=', '==', '!=')) {
      signs.push(sign);
      parts.push(sum());
    }
    if (signs.length === 0) return parts[0];
    return (values) => {
      const found = parts.map((part) => part(values));
      return signs.every((sign, i) => COMPARE[sign](found[i], found[i + 1]));
    };
  };
  const sum = () => {
    let left = product();
    for (let sign = take('+', '-'); sign; sign = take('+', '-')) {
      const [a, b] = [left, product()];
      left = sign === '+' ? (values) => a(values) + b(values) : (values) => a(values) - b(values);
    }
    return left;
  };
  const product = () => {
    let left = signed();
    for (let sign = take('*', '//', '%'); sign; sign = take('*', '//', '%')) {
      const [a, b, f] = [left, signed(), ARITHMETIC[sign]];
      left = (values) => f(a(values), b(values));
    }
    return left;
  };
  const signed = () => {
    if (!take('-')) return atom();
    const inner = signed();
    return (values) => -inner(values);
  };
  const atom = () => {
    if (take('(')) {
      const inner = either();
      expect(')');
      return inner;
    }
    const word = tokens[next] ?? fail();
    next += 1;
    if (/^\d/.test(word)) {
      const value = BigInt(word);
      return () => value;
    }
    if (word === 'True' || word === 'False') return () => word === 'True';
    if (!/^[A-Za-z_]/.test(word)) {
      next -= 1;
      fail();
    }
    return tokens[next] === '(' ? call(word) : named(word);
  };
  const named = (name) => (values) => {
    if (!(name in values)) throw new Error(`'${name}' in '${text}' has no value`);
    return values[name];
  };
  const call = (name) => {
    const f = FUNCTIONS[name] ?? fail();
    expect('(');
    const parts = [either()];
    while (take(',')) parts.push(either());
    expect(')');
    return (values) => f(...parts.map((part) => part(values)));
  };

  const whole = either();
  if (next < tokens.length) fail();
  return whole;
}

/** Rounded down, as Python does. */
function floorDivide(a, b) {
  const q = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q;
}

/** Floor of the logarithm; -1 below 1, as DESIGN has it. */
function floorLog(base, a) {
  let power = -1n;
  for (let reached = 1n; reached <= a; reached *= base) power += 1n;
  return power;
}

const ARITHMETIC = {
  '*': (a, b) => a * b,
  '//': floorDivide,
  '%': (a, b) => a - b * floorDivide(a, b),
};

const COMPARE = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const FUNCTIONS = {
  ceil_div: (a, b) => -floorDivide(-a, b),
  floor_log: floorLog,
  max: (...all) => all.reduce((a, b) => (b > a ? b : a)),
  min: (...all) => all.reduce((a, b) => (b < a ? b : a)),
};

const compiled = new Map();

/** The value of an expression, or null where there is none: no expression, or a division by zero. */
function valueOf(text, values) {
  if (text === null || text === undefined) return null;
  if (!compiled.has(text)) compiled.set(text, compile(text));
  try {
    return compiled.get(text)(values);
  } catch (error) {
    if (error instanceof RangeError) return null; // Division by zero.
    throw error;
  }
}

/** The names that occur in an expression. */
function namesIn(text) {
  const words = text === null || text === undefined ? [] : (text.match(/[A-Za-z_]\w*/g) ?? []);
  return words.filter((word) => !(word in FUNCTIONS) && !['and', 'or', 'not', 'True', 'False'].includes(word));
}

// For the tests, which evaluate the same texts in Python.
globalThis.warpcostValueOf = valueOf;
