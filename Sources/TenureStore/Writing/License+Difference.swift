package import TenureCore

extension License {
    /// Whether the two differ at most in what a first activation or the passing of time changes.
    package func differsOnlyInState(from other: License) -> Bool {
        id == other.id && key == other.key && policy == other.policy && holder == other.holder && term == other.term
    }
}
