import TenureCommandLine
import TenureFormats

extension Console {
    /// Answers one JSON object on a line.
    func answer(json body: (inout JSONObjectWriter) -> Void) {
        answer(String(decoding: JSONWriter.object(body), as: UTF8.self))
    }

    /// Answers a line for a person, or the same as a JSON object.
    func answer(_ line: String, asJSON: Bool, _ body: (inout JSONObjectWriter) -> Void) {
        if asJSON { answer(json: body) } else { answer(line) }
    }
}
