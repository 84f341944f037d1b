// Waiting for somebody else, but not for ever.

/** What is answered within some milliseconds; rejects with `late` where nothing is. */
export async function inTime<T>(answer: PromiseLike<T>, limit: number, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), limit);
  });
  try {
    return await Promise.race([answer, end]);
  } finally {
    clearTimeout(timer);
  }
}
