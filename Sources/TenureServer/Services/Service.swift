/// Long work beside the requests: started once, runs until its task is cancelled (design §3, rule 9).
public protocol Service: Sendable {
    /// Works until cancelled; returns then, having finished what must not be left half done.
    func run() async
}
