/// A change as three steps over values: what to load, a pure decision, and what it saves (design §3, rule 6).
public struct Change<Answer: Sendable>: Sendable {
    /// What the decision needs to see.
    public let keys: LoadKeys

    /// Whether it lets the changes of others go first, as upkeep does, which nobody waits for.
    public let yields: Bool

    /// Decides from what was loaded. Called on an engine's own thread, perhaps more than once: it must be pure.
    public let decide: @Sendable (Loaded) -> Saving<Answer>

    /// States a change.
    public init(
        loading keys: LoadKeys, yielding yields: Bool = false, decide: @escaping @Sendable (Loaded) -> Saving<Answer>
    ) {
        self.keys = keys
        self.yields = yields
        self.decide = decide
    }
}

/// What a decision comes to: the answer to give once the writes are on disk.
public struct Saving<Answer: Sendable>: Sendable {
    /// What the caller is told.
    public let answer: Answer

    /// What is saved, in order; empty when nothing changes.
    public let writes: [Write]

    /// Pairs the two.
    public init(_ answer: Answer, _ writes: [Write] = []) {
        self.answer = answer
        self.writes = writes
    }
}
