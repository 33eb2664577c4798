/// Where text goes: a stream of the process, or a test's transcript.
package protocol TextSink: AnyObject, Sendable {
    /// Whether a person watches, so that colour and redrawing make sense.
    var isTerminal: Bool { get }

    /// The width of the terminal in characters.
    var columns: Int { get }

    /// The operating system's words for the first write that failed; nil when none did.
    var problem: String? { get }

    /// Writes all of a text now.
    func write(_ text: String)
}
