/// What a server's answer comes to.
package enum Answer<Value: Sendable>: Sendable {
    /// It said yes, and it is verified.
    case yes(Value)
    /// It said no, and the no is verified.
    case no(VerifiedNo)
    /// Nothing came that may change a state.
    case unknown(Unreached)
}
