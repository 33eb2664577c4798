-- Validates licenses at random. Each line of the keys file is "KEY INSTANCE DEVICE", all lines of one
-- length.
local record, width, count
local head = '{"license_key":"%s","instance_id":"%s"}'

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    record = file:read("*a")
    file:close()
    width = record:find("\n", 1, true)
    count = #record / width
    math.randomseed(tonumber(arguments[2]))
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    local start = math.random(0, count - 1) * width + 1
    local space = record:find(" ", start, true)
    local body = head:format(record:sub(start, space - 1), record:sub(space + 1, space + 36))
    return wrk.format(nil, nil, nil, body)
end
