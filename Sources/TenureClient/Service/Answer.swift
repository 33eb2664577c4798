/// What a server's answer comes to.
package enum Answer<Value: Sendable>: Sendable {
    /// It said yes, and it is verified.
    case yes(Value)
    /// It said no, and the no is verified.
    ///
    /// A no to an activation refuses that activation and says nothing about a license that is held already: that no place is
    /// free, or that the key is unknown, never changes a state. A no to a renewal does.
    case no(VerifiedNo)
    /// Nothing came that may change a state.
    case unknown(Unreached)
}
