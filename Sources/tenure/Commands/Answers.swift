import TenureCommandLine
import TenureFormats

extension Console {
    /// Answers one JSON object on a line.
    func answer(json body: (inout JSONObjectWriter) -> Void) {
        answer(String(decoding: JSONWriter.object(body), as: UTF8.self))
    }
}
