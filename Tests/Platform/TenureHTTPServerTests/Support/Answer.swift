import TenureHTTP

/// A response as received from the socket.
struct Answer: Sendable {
    var status: Int
    var headers: Headers
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Parses the status line and the header fields.
    init?(head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count >= 2, let status = Int(words[1]) else {
            return nil
        }
        self.status = status
        headers = Headers()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.add(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        body = []
    }
}
