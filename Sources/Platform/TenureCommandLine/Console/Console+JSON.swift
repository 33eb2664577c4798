package import TenureFormats

extension Console {
    /// Prints a JSON object on one line, with control characters escaped.
    package func answer(json body: (inout JSONObjectWriter) -> Void) {
        answer(verbatim: String(decoding: JSONWriter.object(body), as: UTF8.self).printableJSON)
    }

    /// Writes why a command failed as a JSON object on the error output.
    func fail(_ message: String, of path: [String], code: String) {
        let error = JSONWriter.object { body in
            body.member("error", message)
            body.member("code", code)
            body.member("command", path.joined(separator: " "))
        }
        note(verbatim: String(decoding: error, as: UTF8.self).printableJSON)
    }

    /// Prints a line of text, or the same content as a JSON object.
    package func answer(_ line: String, asJSON: Bool, _ body: (inout JSONObjectWriter) -> Void) {
        if asJSON { answer(json: body) } else { answer(line) }
    }
}
